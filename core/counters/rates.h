#pragma once

#include "core/counters/counters.h"

namespace helio {

/// How much more a total is than before; exact for integers, however large they are. Below 0: it fell.
double growthOf(CounterNumber number, CounterValue from, CounterValue to);

/// A stretch of time in which a total grew evenly, as far as is known.
struct RateStretch {
    TimeRange range; ///< Not empty.
    double perSecond = 0; ///< Over all of it.
    double least = 0; ///< Where it grew slowest from one point to the next...
    double most = 0; ///< ...and where fastest. Both as perSecond where nobody kept that.
};

/// How fast the total of an accumulating series grew, per second, from its columns: between two points it is taken to grow evenly; a column
/// that has points has one rate, what the total grew by in it. So the area below the rates is what was counted, at every zoom, and neither
/// two points a nanosecond apart nor the border of a column between them make a peak that is no more than that. Where a total falls it
/// began anew: there is no rate, as far as a column's first, last, least and most value show it; a fall between them that they do not show
/// takes what was counted before it from the area. Nothing is said of before the first point and after the last. In time order; stretches
/// do not overlap.
std::vector<RateStretch> ratesOf(const SeriesColumns& columns, CounterNumber number);

/// What an accumulating series counted in a range; of one that does not accumulate its mean by time. Nothing where that is not known: the
/// range is not all between its first point and its last, or a total fell in it. Cost: some blocks.
std::optional<double> countedIn(const Timeline& timeline, const ViewSeries& series, TimeRange range);

/// Of a series with a growth of its own (ViewSeries::growth): the least and the most of each stretch are those that it was in it, so that
/// nothing short is lost at any zoom. `growth`: its columns, of the same window and resolution.
void addExtremes(std::vector<RateStretch>& rates, const SeriesColumns& growth);

} // namespace helio
