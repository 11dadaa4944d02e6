#pragma once

#include "core/query/rows/rows.h"

#include <vector>

namespace helio::bench {

/// Tracks of the busiest rows of the Control flow view, in the view's order. Other rows are not measured, because most rows of a long
/// trace belong to short-lived threads.
std::vector<TrackRef> busiestTracks(const Timeline& timeline, std::size_t count);

/// Returns a number of intervals that each of the `count` busiest rows has or exceeds: the number of intervals of the next busiest row.
/// Returns 0 if there are at most `count` rows.
std::uint64_t leastIntervalsOfBusiest(const std::vector<Row>& rows, std::size_t count);

/// Runs the query that a view makes for its rows.
void queryRows(const Timeline& timeline, const std::vector<TrackRef>& tracks, TimeRange window, int width, Spans& answer);

} // namespace helio::bench
