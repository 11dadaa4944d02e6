#pragma once

#include "core/counters/counters.h"

namespace helio {

/// Returns the growth of a total from `from` to `to`, computed exactly for integers of any size. Negative if the total fell.
double computeGrowth(CounterNumber number, CounterValue from, CounterValue to);

/// A time range with a constant rate, as far as known.
struct RateInterval {
    TimeRange range; ///< Never empty.
    double perSecond = 0; ///< Mean rate over the range.
    double least = 0; ///< Lowest rate from point to point in the range; `perSecond` if unknown.
    double most = 0; ///< Highest rate from point to point in the range; `perSecond` if unknown.
};

/// Returns the rates per second of an accumulating series, from its columns, in the order of time and without overlaps. The total is
/// assumed to grow evenly between two points. A column with points has one rate: the growth in the column by its width. The area below the
/// rates is therefore the growth at every zoom. Two points at a distance of a nanosecond make no peak, nor does a column's border between
/// two points.
///
/// A total that falls has been reset. A column has no rate if its first, last, least and most value show a reset; a hidden reset lowers the
/// area by the growth before it. There are no rates before the first point and after the last point.
std::vector<RateInterval> ratesOf(const SeriesColumns& columns, CounterNumber number);

/// Returns the growth of an accumulating series in a range; for other series, the mean weighted by time. Returns nullopt if the range
/// exceeds the first or the last point, or if the total was reset in it.
/// Cost: reads some blocks.
std::optional<double> countInRange(const Timeline& timeline, const ViewSeries& series, TimeRange range);

/// Sets `least` and `most` of each rate from a series' own growth series (ViewSeries::growth), so that short peaks show at any zoom.
/// `growth` are the columns of the growth series with the same window and resolution.
void addExtremes(std::vector<RateInterval>& rates, const SeriesColumns& growth);

} // namespace helio
