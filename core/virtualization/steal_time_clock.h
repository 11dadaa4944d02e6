#pragma once

#include "core/query/rows/thread_cpu_times.h"

#include <stop_token>

namespace helio {

/// Computes the steal time of guest threads: the time in which a thread, or a thread that it waited for, seemed to run while its vCPU did
/// not run. Only for guests that are shown with their virtual machines; 0 for all other rows.
/// Ownership: keeps a reference to the timeline, which must outlive it.
/// Threads: to be used by one thread.
/// Cost: two ThreadCpuTimes.
class StealTimeClock {
public:
    explicit StealTimeClock(const Timeline& timeline, std::stop_token stop = {});

    /// Returns the steal time of the thread that a row shows, while the thread ran.
    Duration ofThread(TrackRef row, TimeRange range);
    /// Returns the steal time in a wait for a CPU that fills `range`: all steal time of the CPU that the thread gets at the end of the
    /// range.
    Duration ofWait(TrackRef thread, TimeRange range);

private:
    const Timeline& m_timeline;
    ThreadCpuTimes m_recorded;
    ThreadCpuTimes m_ran;
    const bool m_hasGuests; ///< True if any guest is shown with its virtual machine.
};

} // namespace helio
