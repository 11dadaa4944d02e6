#pragma once

#include "core/query/rows/rows.h"

#include <vector>

namespace helio::bench {

/// Tracks of the busiest rows of the Control flow view, in the view's order. Other rows are not measured, because most rows of a long
/// trace belong to short-lived threads.
std::vector<TrackRef> busiestTracks(const Timeline& timeline, std::size_t count);

/// Threshold for the `count` busiest rows: such a row has more intervals than the returned number.
std::uint64_t intervalsOfBusiest(const std::vector<Row>& rows, std::size_t count);

/// Runs the query that a view makes for its rows.
void queryRows(const Timeline& timeline, const std::vector<TrackRef>& tracks, TimeRange window, int width, Spans& answer);

} // namespace helio::bench
