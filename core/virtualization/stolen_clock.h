#pragma once

#include "core/query/rows/thread_clock.h"

#include <stop_token>

namespace helio {

/// How much of any time was stolen of a guest's threads: they, or whom they waited for, seemed to run while their vCPU did not. Of guests
/// that are shown with their machines; of all else nothing.
///
/// One thread; the timeline outlives it. Cost: as ThreadClocks, twice.
class StolenClock {
public:
    explicit StolenClock(const Timeline& timeline, std::stop_token stop = {});

    /// Some guest is shown with its machine.
    bool knowsAny() const { return m_knowsAny; }
    /// Of the thread that a row of any view is of, while it ran.
    Duration ofThread(TrackRef row, TimeRange range);
    /// Of a thread that waited for a CPU through all of the range: of the CPU that it came onto at its end, whoever had that meanwhile.
    Duration ofWait(TrackRef thread, TimeRange range);

private:
    const Timeline& m_timeline;
    ThreadClocks m_recorded;
    ThreadClocks m_ran;
    const bool m_knowsAny;
};

} // namespace helio
