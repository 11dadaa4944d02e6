#pragma once

#include "core/virtualization/vcpu_waits.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Occupant of a vCPU: a thread of the guest, or the reason why there is no thread.
struct VcpuOccupant {
    enum class Kind : std::uint8_t { Thread, Idle, Unknown };
    Kind kind = Kind::Unknown;
    TrackRef thread{}; ///< Row of the thread in the guest's trace; only for Kind::Thread.
    auto operator<=>(const VcpuOccupant&) const = default;
};

/// An interval of steal time of a guest's thread: the thread's vCPU was preempted. A vCPU can also wait for a CPU after it was idle or
/// waited for its host. Such waits are not steal time, because no guest thread was running on the vCPU.
struct StealInterval {
    TimeRange range{};
    std::uint32_t vcpu = 0; ///< vCPU on which the thread ran, as an index into VirtualMachine::vcpus.
    std::uint32_t absence = 0; ///< Index of the preemption that caused this interval, in VcpuWaitList::all of the vCPU `vcpu`.
};

/// Returns the steal time of one guest as intervals, keyed by the occupant of the vCPU, each list in time order. The intervals add up to
/// the time in which the guest's vCPUs were preempted.
/// Cost: proportional to the thread switches on the guest's CPUs.
std::map<VcpuOccupant, std::vector<StealInterval>> findStealIntervals(const Timeline& timeline, const std::vector<VirtualMachine>& all,
                                                                      std::uint32_t machine, VcpuWaitFinder& absences,
                                                                      std::stop_token stop = {});

} // namespace helio
