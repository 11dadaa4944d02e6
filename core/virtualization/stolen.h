#pragma once

#include "core/virtualization/absences.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Who had a vCPU.
struct VcpuHolder {
    enum class Kind : std::uint8_t { Thread, Idle, Unknown };
    Kind kind = Kind::Unknown;
    TrackRef thread{}; ///< Of the guest's trace; of Thread.
    auto operator<=>(const VcpuHolder&) const = default;
};

/// A stretch in which somebody had a vCPU that was preempted. While it only waits for a CPU it was idle before, or waited for its host:
/// that is nobody's loss but the vCPU's.
struct Stolen {
    TimeRange range{};
    std::uint32_t vcpu = 0; ///< Its place among the machine's.
    std::uint32_t absence = 0; ///< Its place among the vCPU's.
};

/// Those of one guest, in order. They add up to what its vCPUs were preempted. Cost: of the switches of its CPUs.
std::map<VcpuHolder, std::vector<Stolen>> stolenIn(const Timeline& timeline, const std::vector<Machine>& all, std::uint32_t machine,
                                                   Absences& absences, std::stop_token stop = {});

} // namespace helio
