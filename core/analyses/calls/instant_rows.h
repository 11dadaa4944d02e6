#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace helio::calls {

/// Writes instants to rows: one row below each thread, process or track that has instants, and one row for instants of the whole trace.
/// Each instant becomes an interval of 1 ns with the instant's name. If several instants of a row have the same time, each one begins where
/// the interval of the preceding one ends.
class InstantRows {
public:
    /// Ownership: `sink` must outlive the object.
    explicit InstantRows(StateSink& sink)
        : m_sink(sink)
    {
    }

    /// Adds an instant to the instants row below `owner`, the row of a thread, process or track. If `owner` is NoTrack, the instant belongs
    /// to the whole trace. Returns the instants row.
    TrackId add(HostTimestamp at, TrackId owner, std::string_view name);

private:
    struct InstantRow {
        TrackId row = NoTrack;
        HostTimestamp end = HostTimestamp::min(); ///< End of the last instant's interval on this row.
    };
    TrackId addRow(TrackId owner);

    StateSink& m_sink;
    StateSetId m_states{};
    bool m_hasStates = false;
    /// Rows of instants, keyed by the TrackId of the owner; NoTrack is the whole trace.
    std::unordered_map<std::uint32_t, InstantRow> m_rows;
};

} // namespace helio::calls
