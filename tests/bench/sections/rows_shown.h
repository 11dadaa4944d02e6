#pragma once

#include "core/query/rows/rows.h"

#include <vector>

namespace helio::bench {

/// The busiest rows of the Control flow view, in the view's order: most rows of a long trace are of threads that hardly lived.
std::vector<TrackRef> busiestTracks(const Timeline& timeline, std::size_t count);

/// A row that is no busier than this is none of the `count` busiest.
std::uint64_t intervalsOfBusiest(const std::vector<Row>& rows, std::size_t count);

/// What a view asks for its rows.
void askRows(const Timeline& timeline, const std::vector<TrackRef>& tracks, TimeRange window, int width, Spans& answer);

} // namespace helio::bench
