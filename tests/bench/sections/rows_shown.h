#pragma once

#include "core/query/rows/rows.h"

#include <vector>

namespace helio::bench {

/// The busiest rows of the Control flow view, in the view's order: most rows of a long trace belong to short-lived threads.
std::vector<TrackRef> busiestTracks(const Timeline& timeline, std::size_t count);

/// Returns the interval count that a row must exceed to be one of the `count` busiest.
std::uint64_t intervalsOfBusiest(const std::vector<Row>& rows, std::size_t count);

/// Runs the query of a view for its rows.
void queryRows(const Timeline& timeline, const std::vector<TrackRef>& tracks, TimeRange window, int width, Spans& answer);

} // namespace helio::bench
