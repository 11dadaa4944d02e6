#pragma once

#include "core/query/rows/rows.h"

#include <algorithm>
#include <cstdint>
#include <vector>

/// Relates samples to rows. A store of samples identifies threads by TID and CPUs by number. The rows of these threads are in another store
/// of the same trace. A TID that was reused has several rows there, one for each life: a thread that had the TID. If samples and rows are
/// in the same store, the samples are attributes of the rows.
namespace helio {

/// The track with the samples of a row, one interval ("tick") for each sample.
struct RowTicks {
    TrackRef track; ///< Not valid: the row has no ticks.
    TimeRange life{Timestamp::min(), Timestamp::max()}; ///< Ticks outside of this range belong to other rows.
};

/// Returns the ticks of a row. `role`: which samples, SamplesUser to SamplesEvents; any other role returns that attribute of the row
/// itself.
/// Cost: a few hundred ns, more if the TID has many lives.
RowTicks ticksOf(const Timeline& timeline, TrackRef row, TrackRole role);

/// Finds the rows of the threads that a store's samples belong to. `samples` in the constructor is the store of the samples.
///
/// Threads: to be used by one thread.
/// Ownership: the timeline outlives the object.
/// Cost: a few ns per sample, more for the first sample of each thread.
class SampledRows {
public:
    SampledRows(const Timeline& timeline, StoreIndex samples);

    /// Number of one life of a sampled thread, from 0 to lives() - 1. Lives are numbered when the first sample of their TID is looked up.
    enum class Life : std::uint32_t {};

    /// Returns the life that a sample belongs to. `thread` is HostSample::thread.
    Life lifeAt(TrackId thread, HostTimestamp at)
    {
        Thread& of = m_threads[std::min(static_cast<std::size_t>(thread), m_threads.size() - 1)];
        if (of.lives == 0)
            read(thread, of);
        const OneLife* const first = m_lives.data() + of.first;
        const auto isBefore = [](HostTimestamp time, const OneLife& life) { return time < life.begin; };
        return Life{static_cast<std::uint32_t>(std::upper_bound(first + 1, first + of.lives, at, isBefore) - 1 - m_lives.data())};
    }
    /// Returns the row of a life. Not valid: no analysis made a row for it, or the thread is not known.
    TrackRef rowOf(Life life) const { return m_lives[static_cast<std::size_t>(life)].row; }
    /// Returns the track of a life in the samples' store. NoTrack: not known.
    TrackId threadOf(Life life) const { return m_lives[static_cast<std::size_t>(life)].thread; }
    std::size_t lives() const { return m_lives.size(); } ///< Number of lives numbered so far.

private:
    struct Thread {
        std::uint32_t first = 0; ///< Index into m_lives.
        std::uint32_t lives = 0; ///< 0 if not read yet.
    };
    struct OneLife {
        HostTimestamp begin; ///< A life ends where the thread's next life begins.
        TrackRef row;
        TrackId thread = NoTrack;
    };

    void read(TrackId thread, Thread& of);

    const Timeline& m_timeline;
    const StoreIndex m_store;
    std::vector<Thread> m_threads; ///< Indexed by track; the last element stands for all unknown threads.
    std::vector<OneLife> m_lives; ///< The lives of one thread are adjacent, in time order.
};

} // namespace helio
