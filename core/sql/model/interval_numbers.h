#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace helio::sql {

/// Returns the interval of a track with a number, counted from 0; nullopt if there are fewer intervals.
/// Cost: about 50 calls of countIntervalsBefore().
std::optional<Interval> findInterval(const Timeline& timeline, TrackRef track, std::uint64_t number);

/// Numbers of the intervals of several tracks: track after track, and in time order within a track. Tables use the numbers as ids. The same
/// recording always gets the same numbers.
class IntervalNumbers {
public:
    /// A position in a list of tracks: the index of the track, and the number of an interval in it.
    struct Position {
        std::size_t track = 0;
        std::uint64_t interval = 0;
    };

    IntervalNumbers(const Timeline& timeline, std::span<const TrackRef> tracks);

    std::int64_t idOf(Position position) const { return static_cast<std::int64_t>(m_firsts[position.track] + position.interval); }
    std::optional<Position> positionOf(std::int64_t id) const; ///< Returns nullopt if no interval can have the id.
    std::uint64_t total() const { return m_firsts.back(); } ///< Number of intervals of all tracks.

private:
    std::vector<std::uint64_t> m_firsts; ///< Id of the first interval of each track; the last element is the number of all intervals.
};

/// Counts the intervals of tracks while a query reads them in time order, so that numbering them costs nothing.
/// Threads: to be used by one thread.
class RunningCounts {
public:
    explicit RunningCounts(std::size_t tracks)
        : m_counts(tracks)
    {
    }

    /// Returns the number of the intervals of `ref`, the track with the index `track`, that begin before `at`.
    /// Cost: none if addUpTo() was called with the same time.
    std::uint64_t before(const Timeline& timeline, std::size_t track, TrackRef ref, Timestamp at);
    void addUpTo(std::size_t track, Timestamp at, std::uint64_t count) { m_counts[track] = {at, count}; }

private:
    struct Count {
        Timestamp before = Timestamp::min();
        std::uint64_t count = 0;
    };
    std::vector<Count> m_counts; ///< Number of intervals before a time, indexed by track.
};

} // namespace helio::sql
