#pragma once

#include "core/virtualization/vcpu_waits.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

// Sums of what vCPUs lost and of their exits, in a window. Waits are cut to the window, but an exit counts in whole if it overlaps
// the window. Tables are sorted by machine and vCPU, then by total from the longest.

/// Steal time of a vCPU, caused by one culprit.
struct CulpritSum {
    std::uint32_t machine = 0; ///< Index into the result of findVirtualMachines().
    std::uint32_t vcpu = 0; ///< Index into VirtualMachine::vcpus.
    CpuOccupant taker;
    std::uint64_t count = 0; ///< Count of preemptions in which the culprit had the CPU.
    Duration total{};
    Duration most{}; ///< Longest time in one preemption.
    Timestamp mostAt{}; ///< Time at which the culprit first had the CPU in that preemption.
};
std::vector<CulpritSum> culpritsOf(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                   std::stop_token stop = {});

/// Steal time of one guest thread: the thread had a vCPU while the vCPU was preempted. The sums of a machine add up to the time for which
/// its vCPUs were preempted.
struct StealSum {
    std::uint32_t machine = 0;
    TrackRef thread; ///< Not valid if the guest was idle or if the thread is unknown.
    std::int32_t tid = -1; ///< 0 if the guest was idle; -1 if unknown.
    std::string comm;
    std::string during; ///< The system call, "user", or the name of the state in the guest's trace.
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
    std::string reason; ///< For example "MSR_WRITE (32)".
    std::uint64_t count = 0;
    Duration total{};
    Duration median{};
    Duration p99{};
    Duration most{};
};
std::vector<ExitStats> computeExitStats(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                        std::stop_token stop = {});

} // namespace helio
