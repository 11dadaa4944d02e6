#pragma once

#include "core/store/time_limits.h"
#include "core/store/track.h"

#include <cassert>
#include <cstdint>
#include <vector>

namespace helio {

/// Turns "from `at` on the track is `state`" into closed intervals: the rules of StateSink::set() and end().
///
/// Closed intervals of a track never overlap, are never empty and go forward; two that touch differ in state or value.
///
/// `Columns` is where one track's closed intervals go. It has
///   void push(std::int64_t begin, std::int64_t end, State, std::uint32_t value);
///   bool takeBack(std::int64_t end, State, std::uint32_t value, std::int64_t& begin); ///< Removes the last interval, if it ends there and
///   is equal. std::int64_t end() const; ///< Of the last interval; -TimeLimit where there is none.
template <typename Columns> class IntervalRecorder {
public:
    struct Open {
        std::int64_t begin = 0;
        std::uint32_t value = 0;
        State state{};
        bool isOpen = false;
    };
    struct Entry {
        Open open;
        Columns closed;
    };

    /// The columns are told what else they need to know by the caller, through operator[].
    void add(Columns columns) { m_tracks.push_back({{}, std::move(columns)}); }
    std::size_t size() const { return m_tracks.size(); }
    Entry& operator[](std::size_t track) { return m_tracks[track]; }
    const Entry& operator[](std::size_t track) const { return m_tracks[track]; }

    void set(HostTimestamp time, TrackId track, State state, std::uint32_t value)
    {
        assert(static_cast<std::size_t>(track) < m_tracks.size() && static_cast<unsigned>(state) < 32);
        state = State(static_cast<std::uint8_t>(static_cast<unsigned>(state) % 32));
        Entry& entry = m_tracks[static_cast<std::size_t>(track)];
        Open& open = entry.open;
        if (open.isOpen && open.state == state && open.value == value)
            return;
        std::int64_t at = limitedTime(time);
        if (open.isOpen && at > open.begin) {
            entry.closed.push(open.begin, at, open.state, open.value);
        } else {
            at = open.isOpen ? open.begin : std::max(at, entry.closed.end());
            entry.closed.takeBack(at, state, value, at);
        }
        open = {at, value, state, true};
    }

    void end(HostTimestamp time, TrackId track)
    {
        Entry& entry = m_tracks[static_cast<std::size_t>(track)];
        close(entry, limitedTime(time));
    }

    void endAll(HostTimestamp time)
    {
        for (Entry& entry : m_tracks)
            close(entry, limitedTime(time));
    }

private:
    static void close(Entry& entry, std::int64_t at)
    {
        Open& open = entry.open;
        if (open.isOpen && at > open.begin)
            entry.closed.push(open.begin, at, open.state, open.value);
        open.isOpen = false;
    }

    std::vector<Entry> m_tracks;
};

} // namespace helio
