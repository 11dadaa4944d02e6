#pragma once

#include "core/counters/formula.h"
#include "core/counters/rates.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A time range, and the value of a formula in it.
struct RatioInterval {
    TimeRange range; ///< Time range of the interval, never empty.
    double value = 0;
    /// Growth of each series in the range, in the order of the formula's names; for series that do not accumulate, the time-weighted mean.
    std::vector<double> counted;
    bool operator==(const RatioInterval&) const = default;
};

/// Returns the values of a formula over time, in the order of time and without overlaps. `series` are in the order of the formula's names.
/// There is one interval for each column with points and for each gap between columns. The value is computed from rates per second
/// (ratesOf()) and from time-weighted means. Therefore a ratio is the growth of one series divided by the growth of another, never a
/// mean of ratios, and a sum is per second at every zoom.
///
/// There is no interval where a series is unknown, a total was reset, or the formula divides by 0. The first and the last interval may
/// cover only a part of a column. Requires: resolution > 0.
/// Cost: one seriesColumns() for each series.
std::vector<RatioInterval> computeRatioIntervals(const Timeline& timeline, const CounterFormula& formula,
                                                 std::span<const ViewSeries> series, TimeRange window, Duration resolution,
                                                 std::stop_token stop = {});

/// Returns the formula's value over the part of `range` in which all series are known, as one interval; nullopt if that part is empty or
/// has no value.
/// Cost: reads some blocks.
std::optional<RatioInterval> computeKnownRatio(const Timeline& timeline, const CounterFormula& formula, std::span<const ViewSeries> series,
                                               TimeRange range);

} // namespace helio
