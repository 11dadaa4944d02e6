#pragma once

#include "core/query/rows/rows.h"

#include <span>

namespace helio {

/// Returns how many of the rows of a call stack have a frame in the time range. `depths`: the rows of the stack, outermost first.
/// Requires: whenever a row has a frame, all rows before it in `depths` have one too.
/// Cost: a few µs, regardless of the number of frames.
int countOccupiedDepths(const Timeline& timeline, std::span<const TrackRef> depths, TimeRange range);

} // namespace helio
