#pragma once

#include "core/query/rows/rows.h"

#include <functional>

namespace helio {

/// Hands over the intervals of a row that overlap the window, cut to it, in time order; in parts, so that no row of a long trace has to
/// be held whole. Ends early once `stop` is requested.
void eachInterval(const Timeline& timeline, const Row& row, TimeRange window, const std::function<void(const Interval&)>& take,
                  std::stop_token stop = {});

} // namespace helio
