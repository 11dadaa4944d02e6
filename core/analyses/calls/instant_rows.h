#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace helio::calls {

/// Rows of instants: one below each thread, process or track that has instants, and one for the whole trace. Each instant is an interval of
/// 1 ns with its name. If several instants have the same time, each further one begins at the end of the previous one.
class InstantRows {
public:
    /// Ownership: the sink must outlive the object.
    explicit InstantRows(StateSink& sink)
        : m_sink(sink)
    {
    }

    /// Adds an instant to the row below `owner`; NoTrack for the row of the whole trace. Returns the row.
    TrackId add(HostTimestamp at, TrackId owner, std::string_view name);

private:
    struct InstantRow {
        TrackId row = NoTrack;
        HostTimestamp end = HostTimestamp::min(); ///< End of the last instant.
    };
    TrackId addRow(TrackId owner);

    StateSink& m_sink;
    StateSetId m_states{};
    bool m_hasStates = false;
    std::unordered_map<std::uint32_t, InstantRow> m_rows; ///< Keyed by TrackId of the owner.
};

} // namespace helio::calls
