#pragma once

#include "core/query/rows/rows.h"

#include <algorithm>
#include <cstdint>
#include <vector>

/// Relates samples to rows. A store of samples identifies threads by TID and CPUs by number. The rows of these threads are in another
/// store of the same trace. If a TID was reused, that store has several rows with this TID, one for each thread; "life" is the lifetime of
/// one of these threads. If samples and rows are in the same store, the samples are attributes of the rows.
namespace helio {

/// The track that marks the samples of a row with one interval ("tick") each.
struct RowTicks {
    TrackRef track; ///< Track with the ticks; not valid if the row has no ticks.
    /// Range in which the ticks of `track` belong to the row; ticks outside it belong to other rows.
    TimeRange life{Timestamp::min(), Timestamp::max()};
};

/// Returns the ticks of a row. `role` selects the samples: SamplesUser to SamplesEvents. For any other role, returns the child track of the
/// row that has this role.
/// Cost: a few hundred ns, more if many threads had the TID.
RowTicks ticksOf(const Timeline& timeline, TrackRef row, TrackRole role);

/// Maps the samples of a store (`samples` in the constructor) to the rows of their threads.
///
/// Threads: to be used by one thread.
/// Ownership: the timeline outlives the object.
/// Cost: a few ns per sample, more for the first sample of each thread.
class SampledRows {
public:
    SampledRows(const Timeline& timeline, StoreIndex samples);

    /// Number of a thread's lifetime, from 0 to lives() - 1. Assigned when the first sample of the thread's TID is looked up.
    enum class Life : std::uint32_t {};

    /// Returns the lifetime that a sample belongs to. `thread` is HostSample::thread.
    Life lifeAt(TrackId thread, HostTimestamp at)
    {
        Thread& of = m_threads[std::min(static_cast<std::size_t>(thread), m_threads.size() - 1)];
        if (of.lives == 0)
            read(thread, of);
        const OneLife* const first = m_lives.data() + of.first;
        const auto isBefore = [](HostTimestamp time, const OneLife& life) { return time < life.begin; };
        return Life{static_cast<std::uint32_t>(std::upper_bound(first + 1, first + of.lives, at, isBefore) - 1 - m_lives.data())};
    }
    /// Returns the row of a lifetime. Not valid if no analysis made a row for it, or if the thread is unknown.
    TrackRef rowOf(Life life) const { return m_lives[static_cast<std::size_t>(life)].row; }
    /// Returns the thread's track in the store of the samples; NoTrack if unknown.
    TrackId threadOf(Life life) const { return m_lives[static_cast<std::size_t>(life)].thread; }
    std::size_t lives() const { return m_lives.size(); } ///< Returns the number of lifetimes numbered so far.

private:
    struct Thread {
        std::uint32_t first = 0; ///< Index into m_lives of the thread's first lifetime.
        /// Number of lifetimes of the thread; several if the TID was reused. They are adjacent in m_lives.
        std::uint32_t lives = 0;
    };
    struct OneLife {
        HostTimestamp begin; ///< Begin of the lifetime; it ends where the next lifetime of the TID begins.
        TrackRef row;
        TrackId thread = NoTrack;
    };

    void read(TrackId thread, Thread& of);

    const Timeline& m_timeline;
    const StoreIndex m_store;
    std::vector<Thread> m_threads; ///< Lifetimes of each sampled thread, indexed by track; the last element is for all unknown threads.
    std::vector<OneLife> m_lives; ///< Lifetimes of all TIDs looked up so far. Lifetimes of the same TID are adjacent, in time order.
};

} // namespace helio
