#pragma once

#include "core/query/rows/rows.h"

#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// What a row did in a window.
struct RowUse {
    TrackRef row;
    double busy = 0; ///< The part of what its trace covers of the window that it was on a CPU, or not idle: 0 to 1.
    bool isLeast = false; ///< As BusyShare's.
    bool isResting = true; ///< All of the window it slept, waited or was idle, or nobody knows what it did.
};

/// The use of each row over the part of the window that has been read; of rows whose states were not recorded, estimated from samples of
/// CPU time. In the order of the tracks; those of which nothing is read yet, or whose traces are elsewhere, are left out, and the rest
/// after `stop`. Cost: a few µs a row.
std::vector<RowUse> rowUses(const Timeline& timeline, std::span<const TrackRef> tracks, TimeRange window, std::stop_token stop = {});

} // namespace helio
