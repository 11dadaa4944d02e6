#pragma once

#include "core/query/rows/rows.h"

#include <algorithm>
#include <cstdint>
#include <vector>

/// Joins samples with rows. Samples know threads by tid and CPUs by number, in a store of their own; the rows of those threads are of
/// another store of the same trace, where a tid may have had several lives. Where samples and rows are of one store, it says itself which
/// belong together.
namespace helio {

/// Where samples of a row stand as ticks.
struct RowTicks {
    TrackRef track; ///< Not valid: there are none.
    TimeRange life{Timestamp::min(), Timestamp::max()}; ///< What is outside of it belongs to other rows.
};

/// The ticks of that role (SamplesUser to SamplesEvents; any other attribute of the row's own, too) of a row. Cost: some hundred ns, and
/// some for each life of the tid.
RowTicks ticksOf(const Timeline& timeline, TrackRef row, TrackRole role);

/// The rows of the threads that a store's samples are of.
///
/// One thread; the timeline outlives it. Cost: some ns a sample, but for the first of each thread.
class SampledRows {
public:
    SampledRows(const Timeline& timeline, StoreIndex samples);

    /// One life of a sampled thread; dense, in the order they are asked for.
    enum class Life : std::uint32_t {};

    /// Whose a sample is. `thread` as in HostSample.
    Life lifeAt(TrackId thread, HostTimestamp at)
    {
        Thread& of = m_threads[std::min(static_cast<std::size_t>(thread), m_threads.size() - 1)];
        if (of.lives == 0)
            read(thread, of);
        const OneLife* const first = m_lives.data() + of.first;
        const auto isBefore = [](HostTimestamp time, const OneLife& life) { return time < life.begin; };
        return Life{static_cast<std::uint32_t>(std::upper_bound(first + 1, first + of.lives, at, isBefore) - 1 - m_lives.data())};
    }
    /// Not valid: nobody made a row for it, or the thread is not known.
    TrackRef rowOf(Life life) const { return m_lives[static_cast<std::size_t>(life)].row; }
    /// What was sampled: a track of the samples' store. NoTrack: not known.
    TrackId threadOf(Life life) const { return m_lives[static_cast<std::size_t>(life)].thread; }
    std::size_t lives() const { return m_lives.size(); } ///< That were asked for so far, and others of the same threads.

private:
    struct Thread {
        std::uint32_t first = 0; ///< In m_lives.
        std::uint32_t lives = 0; ///< 0: not asked for yet.
    };
    struct OneLife {
        HostTimestamp begin; ///< It ends where the next one of the thread begins.
        TrackRef row;
        TrackId thread = NoTrack;
    };

    void read(TrackId thread, Thread& of);

    const Timeline& m_timeline;
    const StoreIndex m_store;
    std::vector<Thread> m_threads; ///< By track; the last one stands for all that are not known.
    std::vector<OneLife> m_lives; ///< Those of one thread beside each other, in time order.
};

} // namespace helio
