#pragma once

#include "core/query/rows/rows.h"

#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// Use of a row in a window.
struct RowUtilization {
    TrackRef row;
    double busy = 0; ///< Share of the window, as far as the trace covers it, in which the row was on a CPU or not idle: 0 to 1.
    bool isLowerBound = false; ///< See BusyShare::isLowerBound.
    bool isInactive = true; ///< In all of the window the row slept, waited or was idle, or its state is unknown.
};

/// Returns the use of each row over the part of the window that has been read, in the order of `tracks`. For rows without recorded states
/// it is estimated from samples of CPU time. Rows that are not read yet, or whose traces do not cover the window, are left out; after
/// `stop`, all others too.
/// Cost: a few µs per row.
std::vector<RowUtilization> rowUtilizations(const Timeline& timeline, std::span<const TrackRef> tracks, TimeRange window,
                                            std::stop_token stop = {});

} // namespace helio
