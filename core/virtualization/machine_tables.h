#pragma once

#include "core/virtualization/vcpu_waits.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

// Tables of the steal time and of the exits of vCPUs in a time range. Waits are clipped to the time range; an exit that overlaps the time
// range counts with its whole duration. Tables are sorted by machine and vCPU, then by total, longest first.

/// Steal time of a vCPU caused by one culprit.
struct CulpritSum {
    std::uint32_t machine = 0; ///< Virtual machine, as an index into the result of findVirtualMachines().
    std::uint32_t vcpu = 0; ///< vCPU that lost the time, as an index into VirtualMachine::vcpus.
    CpuOccupant occupant;
    std::uint64_t count = 0; ///< Number of preemptions of the vCPU during which the culprit had the CPU.
    Duration total{};
    Duration most{}; ///< Longest time that the culprit had the CPU during one preemption.
    Timestamp mostAt{}; ///< Time at which the culprit got the CPU for the duration `most`.
};
std::vector<CulpritSum> culpritsOf(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                   std::stop_token stop = {});

/// Steal time of one guest thread: time in which the thread's vCPU was preempted. The sums of a machine's threads add up to the time in
/// which its vCPUs were preempted.
struct StealSum {
    std::uint32_t machine = 0;
    TrackRef thread; ///< Row of the guest's thread; not valid if the guest was idle or if the thread is unknown.
    std::int32_t tid = -1; ///< TID of the guest's thread; 0 if the guest was idle; -1 if unknown.
    std::string comm;
    std::string during; ///< Activity of the thread: the system call, "user", or the name of the state in the guest's trace.
    std::uint64_t count = 0;
    Duration total{};
    Duration most{};
    Timestamp mostAt{};
};
std::vector<StealSum> computeStealSums(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                       std::stop_token stop = {});

/// Statistics of the exits of one vCPU for one reason. An exit lasts until the next entry.
struct ExitStats {
    std::uint32_t machine = 0;
    std::uint32_t vcpu = 0;
    std::string reason; ///< Reason of the exits, for example "MSR_WRITE (32)".
    std::uint64_t count = 0;
    Duration total{};
    Duration median{};
    Duration p99{};
    Duration most{};
};
std::vector<ExitStats> computeExitStats(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                        std::stop_token stop = {});

} // namespace helio
