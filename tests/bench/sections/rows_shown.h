#pragma once

#include "core/query/rows.h"

#include <vector>

namespace helio::bench {

/// Rows of the Control flow view that have a track.
std::vector<TrackRef> controlFlowTracks(const Timeline& timeline);

/// What a view asks: `count` rows from `first` on.
void askRows(const Timeline& timeline, const std::vector<TrackRef>& tracks, std::size_t first, std::size_t count, TimeRange window,
             int width, Spans& answer);

} // namespace helio::bench
