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

/// Boundaries of one track, at strictly ascending times. Each boundary has another key than the boundary before it, unless
/// putNewInterval() added it. The first boundary begins a gap, which ends at the track's first interval. The state of the last
/// boundary continues until another boundary is added.
class TrackBoundaries {
public:
    TrackBoundaries() { reserve(4); }

    std::span<const Boundary> all() const { return {m_all.get(), m_last + 1}; }
    std::size_t size() const { return static_cast<std::size_t>(m_last + 1 - m_all.get()); }
    std::size_t capacity() const { return static_cast<std::size_t>(m_room + 1 - m_all.get()); }

    /// Functions for callers that write boundaries directly: write at most room() boundaries to end(), then pass their number to grow().
    /// Each boundary must be later than the boundary before it (the first new boundary later than last()), within TimeLimit, and have
    /// another key.
    const Boundary& last() const { return *m_last; }
    Boundary* end() { return m_last + 1; }
    std::size_t room() const { return static_cast<std::size_t>(m_room - m_last); }
    void grow(std::size_t count) { m_last += count; }

    /// Enlarges the buffer to `count` boundaries in total. Requires: count >= size().
    void reserve(std::size_t count)
    {
        auto all = std::make_unique_for_overwrite<Boundary[]>(count);
        m_last = m_all ? std::copy(m_all.get(), m_last + 1, all.get()) - 1 : all.get();
        if (!m_all)
            *m_last = {-TimeLimit, GapKey};
        m_room = all.get() + count - 1;
        m_all = std::move(all);
    }
    /// Replaces the buffer by `room`, which has space for capacity() boundaries, and copies the boundaries from index `first` on into it.
    /// Returns the old buffer, which still contains all boundaries. Requires: first < size().
    std::unique_ptr<Boundary[]> moveTo(std::unique_ptr<Boundary[]> room, std::size_t first)
    {
        m_room = room.get() + capacity() - 1;
        m_last = std::copy(m_all.get() + first, m_last + 1, room.get()) - 1;
        return std::exchange(m_all, std::move(room));
    }
    /// Removes the first `count` boundaries. Requires: count < size().
    void dropFirst(std::size_t count) { m_last = std::copy(m_all.get() + count, m_last + 1, m_all.get()) - 1; }

private:
    friend class IntervalRecorder;

    Boundary* m_last = nullptr;
    Boundary* m_room = nullptr; ///< Last element of the allocated buffer; may be unused. m_last is the last used element.
    std::unique_ptr<Boundary[]> m_all;
};

/// Converts state changes ("from `at` on, the track is in `state`") into boundaries per track. Implements StateSink::set(),
/// beginInterval(), rollBack() and end().
class IntervalRecorder {
public:
    void addTrack() { m_rows.push_back(&m_store.emplace_back()); }
    std::size_t size() const { return m_rows.size(); }
    /// Returns the boundaries of a track. The reference stays valid when tracks are added.
    TrackBoundaries& operator[](std::size_t track) { return *m_rows[track]; }
    const TrackBoundaries& operator[](std::size_t track) const { return *m_rows[track]; }

    /// Sets a track's state from `time` on; does nothing if the state is the current one. Returns false, without a change, if the track's
    /// buffer is full.
    bool put(HostTimestamp time, TrackId track, std::uint64_t key)
    {
        TrackBoundaries& row = *m_rows[static_cast<std::size_t>(track)];
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
            // The open interval would have length 0, and the interval before it already has the new key. Remove the last
            // boundary, so that the earlier interval continues.
            row.m_last = last - 1;
        else
            last->key = key;
        return true;
    }

    /// Begins an interval at `time`, even if the current interval has the same key. Returns false, without a change, if the track's buffer
    /// is full. Requires: `key` is not a gap.
    bool putNewInterval(HostTimestamp time, TrackId track, std::uint64_t key)
    {
        TrackBoundaries& row = *m_rows[static_cast<std::size_t>(track)];
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

    /// Removes a track's boundaries at and after `time`, but never the first boundary in the buffer.
    void rollBack(HostTimestamp time, TrackId track)
    {
        TrackBoundaries& row = *m_rows[static_cast<std::size_t>(track)];
        while (row.m_last != row.m_all.get() && row.m_last->begin >= nanoseconds(time))
            --row.m_last;
    }

private:
    std::deque<TrackBoundaries> m_store;
    /// Boundaries of each track, by track. A vector of pointers, because indexing a deque requires a division.
    std::vector<TrackBoundaries*> m_rows;
};

} // namespace helio
