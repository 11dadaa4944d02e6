#pragma once

#include "core/store/boundary.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace helio {

/// One track's boundaries. They go forward. Two neighbours differ, but where an interval was begun anew: then it begins as the one before
/// it ends. The last one is still open: what it says goes on. The first one is a gap, until there was an interval.
class BoundaryRow {
public:
    BoundaryRow() { reserve(4); }

    std::span<const Boundary> all() const { return {m_all.get(), m_last + 1}; }
    std::size_t size() const { return static_cast<std::size_t>(m_last + 1 - m_all.get()); }
    std::size_t capacity() const { return static_cast<std::size_t>(m_room + 1 - m_all.get()); }

    /// The caller may write up to room() boundaries at end(), each later than the one before it, within TimeLimit, and of another key than
    /// that; grow() then takes as many of them in.
    const Boundary& last() const { return *m_last; }
    Boundary* end() { return m_last + 1; }
    std::size_t room() const { return static_cast<std::size_t>(m_room - m_last); }
    void grow(std::size_t count) { m_last += count; }

    /// Makes room for so many in all, no fewer than there are.
    void reserve(std::size_t count)
    {
        auto all = std::make_unique_for_overwrite<Boundary[]>(count);
        m_last = m_all ? std::copy(m_all.get(), m_last + 1, all.get()) - 1 : all.get();
        if (!m_all)
            *m_last = {-TimeLimit, GapKey};
        m_room = all.get() + count - 1;
        m_all = std::move(all);
    }
    /// Goes on in other room for as many, with those from the `first`-th on; what it had, with all of them, is the caller's. Requires:
    /// fewer than there are.
    std::unique_ptr<Boundary[]> moveTo(std::unique_ptr<Boundary[]> room, std::size_t first)
    {
        m_room = room.get() + capacity() - 1;
        m_last = std::copy(m_all.get() + first, m_last + 1, room.get()) - 1;
        return std::exchange(m_all, std::move(room));
    }
    /// Requires: fewer than there are.
    void dropFirst(std::size_t count) { m_last = std::copy(m_all.get() + count, m_last + 1, m_all.get()) - 1; }

private:
    friend class IntervalRecorder;

    Boundary* m_last = nullptr;
    Boundary* m_room = nullptr; ///< Where the last one may be.
    std::unique_ptr<Boundary[]> m_all;
};

/// Turns "from `at` on the track is `state`" into each track's boundaries: the rules of StateSink::set(), setAnew() and end().
class IntervalRecorder {
public:
    void addTrack() { m_rows.push_back(&m_store.emplace_back()); }
    std::size_t size() const { return m_rows.size(); }
    /// Stays where it is.
    BoundaryRow& operator[](std::size_t track) { return *m_rows[track]; }
    const BoundaryRow& operator[](std::size_t track) const { return *m_rows[track]; }

    /// False: the track's row is full; nothing has happened.
    bool put(HostTimestamp time, TrackId track, std::uint64_t key)
    {
        BoundaryRow& row = *m_rows[static_cast<std::size_t>(track)];
        Boundary* const last = row.m_last;
        if (last->key == key)
            return true;
        const std::int64_t at = std::min(nanoseconds(time), TimeLimit);
        if (at > last->begin) {
            if (last == row.m_room)
                return false;
            last[1] = {at, key};
            row.m_last = last + 1;
            return true;
        }
        if (last > row.m_all.get() && last[-1].key == key)
            row.m_last = last - 1; // the last one leaves no trace: what was before goes on
        else
            last->key = key;
        return true;
    }

    /// The same, but what it puts joins nothing that was before. Requires: no gap.
    bool putAnew(HostTimestamp time, TrackId track, std::uint64_t key)
    {
        BoundaryRow& row = *m_rows[static_cast<std::size_t>(track)];
        const std::int64_t at = std::min(nanoseconds(time), TimeLimit);
        if (at <= row.m_last->begin) {
            row.m_last->key = key;
            return true;
        }
        if (row.m_last == row.m_room)
            return false;
        *++row.m_last = {at, key};
        return true;
    }

    /// Drops a track's boundaries at and after `time` but for the first that is held.
    void takeBack(HostTimestamp time, TrackId track)
    {
        BoundaryRow& row = *m_rows[static_cast<std::size_t>(track)];
        while (row.m_last != row.m_all.get() && row.m_last->begin >= nanoseconds(time))
            --row.m_last;
    }

private:
    std::deque<BoundaryRow> m_store;
    std::vector<BoundaryRow*> m_rows; ///< By track: finding a deque's n-th takes a division.
};

} // namespace helio
