#pragma once

#include <cstdint>
#include <vector>

namespace helio {

/// Location of a CPU in its machine. Two CPUs share a core if their `core` is equal, a second-level cache if their `l2` is equal, and so
/// on. All numbers are -1 if not recorded.
struct CpuLocation {
    std::int32_t cpu = -1;
    std::int32_t core = -1; ///< Number of the core, unique in the machine (unlike the kernel's core_id, which is unique in a package).
    std::int32_t l2 = -1; ///< Number of the second-level cache; -1 if not recorded.
    std::int32_t l3 = -1; ///< Number of the third-level cache.
    std::int32_t package = -1; ///< Number of the processor package (socket).
    std::int32_t node = -1; ///< Number of the NUMA node.
    bool operator==(const CpuLocation&) const = default;
};

/// Distance of two CPUs: the nearest component that they share.
enum class CpuDistance : std::uint8_t {
    SameCpu,
    SameCore, ///< Two hardware threads of one core.
    SameL2,
    SameL3,
    SamePackage, ///< Same package, and no shared cache as far as the recording says.
    OtherNode, ///< Different NUMA nodes, in the same package or without a recorded package.
    OtherPackage,
    Unknown, ///< The location of at least one of the two CPUs is not recorded.
};
constexpr std::size_t CpuDistances = 8;

/// Locations of a machine's CPUs, as far as the recording describes them.
struct CpuTopology {
    static constexpr std::int64_t MostCpus = 65'536; ///< Exclusive upper limit of CPU numbers; a recording with higher numbers is damaged.

    std::vector<CpuLocation> cpus; ///< Locations by CPU number; the member `cpu` is -1 in entries that the recording does not describe.
    /// True if the recording says which CPUs share which caches. If so, CpuDistance::SamePackage means that two CPUs share no cache;
    /// otherwise they may share one.
    bool hasCaches = false;

    bool isEmpty() const { return cpus.empty(); }
    /// Returns the element of `cpus` for CPU number `cpu`, so that the caller can fill it in; adds the element if it does not exist.
    /// nullptr if `cpu` is negative or not below MostCpus.
    CpuLocation* place(std::int64_t cpu);
    CpuDistance distance(std::int32_t from, std::int32_t to) const;
    bool operator==(const CpuTopology&) const = default;
};

} // namespace helio
