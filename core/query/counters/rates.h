#pragma once

#include "core/query/counters/counters.h"

namespace helio {

/// A stretch of time in which a total grew evenly, as far as is known.
struct RateStretch {
    TimeRange range; ///< Not empty.
    double perSecond = 0;
};

/// How fast the total of an accumulating series grew, per second, from its columns: between two points it is taken to grow evenly; a column
/// that has points has one rate, what the total grew by in it. So the area below the rates is what was counted, at every zoom, and neither
/// two points a nanosecond apart nor the border of a column between them make a peak that is no more than that. Where a total falls it
/// began anew: there is no rate, as far as a column's first, last, least and most value show it; a fall between them that they do not show
/// takes what was counted before it from the area. Nothing is said of before the first point and after the last. In time order; stretches
/// do not overlap.
std::vector<RateStretch> ratesOf(const SeriesColumns& columns, CounterNumber number);

} // namespace helio
