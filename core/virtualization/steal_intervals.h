#pragma once

#include "core/virtualization/vcpu_waits.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// The guest's thread that had a vCPU, or the reason why there is none.
struct VcpuOccupant {
    enum class Kind : std::uint8_t { Thread, Idle, Unknown };
    Kind kind = Kind::Unknown;
    TrackRef thread{}; ///< Row in the guest's trace; only for Kind::Thread.
    auto operator<=>(const VcpuOccupant&) const = default;
};

/// An interval in which a thread had a vCPU that was preempted. Other waits of a vCPU are not stolen from a thread: before them, the vCPU
/// was idle or waited for its host.
struct StealInterval {
    TimeRange range{};
    std::uint32_t vcpu = 0; ///< Index into VirtualMachine::vcpus.
    std::uint32_t absence = 0; ///< Index into VcpuWaitList::all of the vCPU.
};

/// Returns the intervals of one guest by the thread that had the vCPU, in the order of time. They add up to the time for which the guest's
/// vCPUs were preempted.
/// Cost: proportional to the thread switches on the guest's CPUs.
std::map<VcpuOccupant, std::vector<StealInterval>> findStealIntervals(const Timeline& timeline, const std::vector<VirtualMachine>& all,
                                                                      std::uint32_t machine, VcpuWaitFinder& absences,
                                                                      std::stop_token stop = {});

} // namespace helio
