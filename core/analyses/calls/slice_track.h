#pragma once

#include "core/event_model/call_stacks.h"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::calls {

/// Slices of a track, which may overlap: those of one nest are within each other like calls, those of different nests are independent, e.g.
/// asynchronous operations. A slice takes the lowest free level of the track's row that is below the level of its outer slice.
class SliceTrack {
public:
    /// `row`: the track's row. The rows of its levels are children of `row`; their keys are `key` followed by "/1", "/2"...
    SliceTrack(TrackId row, std::string key, CallOutput& out)
        : m_row(row)
        , m_key(std::move(key))
        , m_out(&out)
    {
    }

    void begin(HostTimestamp at, std::int64_t nest, const RecordedFunction& slice);
    /// Ends the innermost open slice of a nest; if `hasKey`, the innermost one with this key, and as truncated all slices within it.
    void end(HostTimestamp at, std::int64_t nest, bool hasKey, std::uint64_t key);
    /// Ends all open slices.
    void closeAll(HostTimestamp at, CallEnding ending);
    /// Returns the row of the innermost open slice of a nest; the track's row if none is open.
    TrackId innermostRow(std::int64_t nest) const;

private:
    struct OpenSlice {
        BegunCall call;
        std::uint64_t key = 0;
        std::uint32_t level = 0;
    };
    using Nest = std::vector<OpenSlice>; ///< Open slices, outermost first.

    void pop(Nest& nest, HostTimestamp at, CallEnding ending);
    TrackId rowOf(std::uint32_t level) const { return level < m_levels.size() ? m_levels[level] : NoTrack; }

    TrackId m_row;
    std::string m_key;
    CallOutput* m_out;
    std::unordered_map<std::int64_t, Nest> m_nests; ///< Nests that have open slices.
    std::set<std::uint32_t> m_free; ///< Levels below m_levelCount that are not in use.
    std::uint32_t m_levelCount = 0;
    std::vector<TrackId> m_levels; ///< Rows of the levels.
    HostTimestamp m_now = HostTimestamp::min(); ///< Time of the last event; earlier events get this time.
};

} // namespace helio::calls
