#pragma once

#include "core/counters/counters.h"

#include <map>

namespace helio {

/// Returns the growth of a total from `from` to `to`; negative if the total fell. Integers are subtracted without overflow or loss.
double computeGrowth(CounterNumber number, CounterValue from, CounterValue to);

/// A time range, and the mean rate of a series in it.
struct RateInterval {
    TimeRange range; ///< Range over which `perSecond` is the mean; never empty.
    double perSecond = 0; ///< Mean rate over `range`, per second.
    double least = 0; ///< Lowest rate between two points in the range; `perSecond` if unknown.
    double most = 0; ///< Highest rate between two points in the range; `perSecond` if unknown.
};

/// Returns the rates per second of an accumulating series, computed from its columns, in time order and without overlaps. The total is
/// assumed to grow evenly between two points. A column with points has one rate: the growth in the column divided by its width. Therefore
/// the area below the rates equals the growth at every zoom, and neither two points 1 ns apart nor a column border between two points cause
/// a peak.
///
/// A total that falls was reset. A column has no rate if its first, last, least and most values show a reset. If these four values do not
/// show a reset, the column's rate is too low by the growth before the reset. There are no rates before the first point and after the
/// last point.
std::vector<RateInterval> ratesOf(const SeriesColumns& columns, CounterNumber number);

/// Returns the growth of an accumulating series in a range; for other series, the time-weighted mean. Returns nullopt if the range begins
/// before the first point or ends after the last point, or if the total was reset in the range.
/// Cost: reads some blocks.
std::optional<double> countInRange(const Timeline& timeline, const ViewSeries& series, TimeRange range);

/// True if the series is the total of a time in s: its rate is a share of time.
bool isShareOfTime(const ViewSeries& series);

/// Returns the series whose rate is the utilization of a row, keyed by row: the first series of the row in the view for which
/// isShareOfTime() is true.
std::map<TrackRef, UtilizationSeries> utilizationSeries(const Timeline& timeline, std::string_view view);

/// Returns the share of the range in which a resource was in use, 0 to 1, over the part of the range that has points. Returns nullopt if no
/// part of the range has points.
/// Cost: see countInRange().
std::optional<double> utilizationInRange(const Timeline& timeline, const UtilizationSeries& series, TimeRange range);

/// Sets `least` and `most` of each rate from a series' own growth series (ViewSeries::growth), so that short peaks show at any zoom.
/// `growth` are the columns of the growth series with the same time range and resolution.
void addExtremes(std::vector<RateInterval>& rates, const SeriesColumns& growth);

} // namespace helio
