#pragma once

#include "core/query/rows/thread_cpu_times.h"

#include <stop_token>

namespace helio {

/// Computes the steal time of guest threads. A running thread loses time while it seems to run, but its vCPU does not run. A thread that
/// waits for a CPU loses time while another thread seems to run on this CPU, but the vCPU does not run. The steal time is 0 for guests
/// without a known virtual machine and for all other rows.
/// Ownership: the timeline outlives the object.
/// Threads: to be used by one thread.
/// Cost: two ThreadCpuTimes.
class StealTimeClock {
public:
    explicit StealTimeClock(const Timeline& timeline, std::stop_token stop = {});

    /// Returns the time in the range in which the row's thread seemed to run, but its vCPU did not run.
    Duration ofThread(TrackRef row, TimeRange range);
    /// Returns the steal time during a thread's wait for a CPU: the steal time, within `range`, of the CPU on which the thread runs after
    /// the wait. `range`: the wait.
    Duration ofWait(TrackRef thread, TimeRange range);

private:
    const Timeline& m_timeline;
    ThreadCpuTimes m_recorded;
    ThreadCpuTimes m_ran;
    const bool m_hasGuests; ///< True if the virtual machine of any guest is known; else all results are 0.
};

} // namespace helio
