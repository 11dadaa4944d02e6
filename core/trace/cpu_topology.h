#pragma once

#include <cstdint>
#include <vector>

namespace helio {

/// Where a CPU lies in its machine. What two CPUs have the same number of they share; -1: not recorded.
struct CpuPlace {
    std::int32_t cpu = -1;
    std::int32_t core = -1; ///< Unlike the kernel's core_id, of one core in the whole machine.
    std::int32_t l2 = -1; ///< Its second-level cache.
    std::int32_t l3 = -1;
    std::int32_t package = -1;
    std::int32_t node = -1; ///< Of its memory.
    bool operator==(const CpuPlace&) const = default;
};

/// How far one CPU is from another, by the nearest that they share.
enum class CpuDistance : std::uint8_t {
    SameCpu,
    SameCore, ///< Its other hardware thread.
    SameL2,
    SameL3,
    SamePackage, ///< None of these caches, as far as is recorded.
    OtherNode, ///< In the same package, or which package is not recorded.
    OtherPackage,
    Unknown, ///< Not recorded.
};
constexpr std::size_t CpuDistances = 8;

/// The CPUs of a machine, as a recording describes them.
struct CpuTopology {
    static constexpr std::int64_t MostCpus = 65'536; ///< Higher numbers are no CPUs'.

    std::vector<CpuPlace> cpus; ///< By their numbers; those that nothing is said of have the number -1.
    bool hasCaches = false; ///< Which CPUs share which caches is recorded: SamePackage then means that they share none.

    bool isEmpty() const { return cpus.empty(); }
    /// To be described. Null for a number that no machine has.
    CpuPlace* place(std::int64_t cpu);
    CpuDistance distance(std::int32_t from, std::int32_t to) const;
    bool operator==(const CpuTopology&) const = default;
};

} // namespace helio
