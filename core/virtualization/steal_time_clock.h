#pragma once

#include "core/query/rows/thread_cpu_times.h"

#include <stop_token>

namespace helio {

/// Computes the steal time of guest threads: the time in which a thread seemed to run, or another thread seemed to run on the CPU that it
/// waited for, while the vCPU did not run. 0 for guests without a known virtual machine and for all other rows.
/// Ownership: the timeline outlives the object.
/// Threads: to be used by one thread.
/// Cost: two ThreadCpuTimes.
class StealTimeClock {
public:
    explicit StealTimeClock(const Timeline& timeline, std::stop_token stop = {});

    /// Returns the steal time of the row's thread in the range: time in which the thread seemed to run.
    Duration ofThread(TrackRef row, TimeRange range);
    /// Returns the steal time during a thread's wait for a CPU. `range`: the wait. All steal time in `range` counts that belongs to the CPU
    /// on which the thread runs after the wait.
    Duration ofWait(TrackRef thread, TimeRange range);

private:
    const Timeline& m_timeline;
    ThreadCpuTimes m_recorded;
    ThreadCpuTimes m_ran;
    const bool m_hasGuests; ///< True if the virtual machine of any guest is known; else all results are 0.
};

} // namespace helio
