#pragma once

#include "core/query/machines/row_cursor.h"

#include <map>
#include <utility>

namespace helio {

/// How much of their time guests' rows did not have, as their vCPUs did not run. One thread; the timeline outlives it. Cost: of a look at
/// all rows of relations, and then of a row's states, best asked in the order of time.
class StolenTimes {
public:
    explicit StolenTimes(const Timeline& timeline);

    bool isEmpty() const { return m_rows.empty(); } ///< Nothing is known of any row.
    /// None for rows of which nothing is known.
    Duration in(TrackRef row, TimeRange range);

private:
    const Timeline& m_timeline;
    std::map<TrackRef, machines::RowCursor> m_rows; ///< By the row that does not know it.
};

} // namespace helio
