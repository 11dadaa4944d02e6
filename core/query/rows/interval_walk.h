#pragma once

#include "core/query/rows/rows.h"

#include <functional>

namespace helio {

/// Calls `take` for each interval of a row that overlaps the window, clipped to the window, in time order. Reads the row in parts, so that
/// no row of a long trace must be held whole. Ends early once `stop` is requested.
void forEachRowInterval(const Timeline& timeline, const Row& row, TimeRange window, const std::function<void(const Interval&)>& take,
                        std::stop_token stop = {});

} // namespace helio
