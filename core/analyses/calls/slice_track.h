#pragma once

#include "core/event_model/call_stacks.h"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::calls {

/// Writes the slices of one track. Each slice belongs to a nest, which an arbitrary number identifies (TrackPlace::nest). Slices of one
/// nest contain each other like calls; slices of different nests, e.g. of different asynchronous operations, may overlap in any way. If
/// several slices are open at the same time, each of them is on another level; each level is a row. A new slice gets the first free level.
/// If a slice in the same nest is open, the level must also be below that slice's level.
class SliceTrack {
public:
    /// `row`: the track's row. `key`: Track::key of this row. The rows of the levels are children of `row`, with the keys `key` + "/1",
    /// `key` + "/2"...
    SliceTrack(TrackId row, std::string key, CallOutput& out)
        : m_row(row)
        , m_key(std::move(key))
        , m_out(&out)
    {
    }

    void begin(HostTimestamp at, std::int64_t nest, const RecordedFunction& slice);
    /// Ends the innermost open slice of a nest. If `hasKey` is true, ends the innermost open slice with this `key` (RecordedFunction::key)
    /// instead, and marks all open slices within it as truncated.
    void end(HostTimestamp at, std::int64_t nest, bool hasKey, std::uint64_t key);
    /// Ends all open slices of all nests at time `at`.
    void closeAll(HostTimestamp at, CallEnding ending);
    /// Returns the row of the innermost open slice of a nest; the track's row if the nest has no open slice.
    TrackId innermostRow(std::int64_t nest) const;

private:
    struct OpenSlice {
        BegunCall call;
        std::uint64_t key = 0;
        std::uint32_t level = 0;
    };
    using Nest = std::vector<OpenSlice>; ///< Open slices of one nest, outermost first.

    void pop(Nest& nest, HostTimestamp at, CallEnding ending);
    TrackId rowOf(std::uint32_t level) const { return level < m_levels.size() ? m_levels[level] : NoTrack; }

    TrackId m_row;
    std::string m_key;
    CallOutput* m_out;
    std::unordered_map<std::int64_t, Nest> m_nests; ///< Nests that have open slices, keyed by TrackPlace::nest.
    std::set<std::uint32_t> m_free; ///< Levels below m_levelCount that have no open slice.
    std::uint32_t m_levelCount = 0;
    std::vector<TrackId> m_levels; ///< Row of each level, indexed by level; may be shorter than m_levelCount, see MostDepthRows.
    HostTimestamp m_now = HostTimestamp::min(); ///< Time of the track's last event. An event with an earlier time gets this time.
};

} // namespace helio::calls
