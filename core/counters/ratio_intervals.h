#pragma once

#include "core/counters/formula.h"
#include "core/counters/rates.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A time range in which all series of a formula have a constant rate, as far as known.
struct RatioInterval {
    TimeRange range; ///< Never empty.
    double value = 0;
    std::vector<double> counted; ///< Growth of each series in the range, in the order of the formula's names; the mean weighted by time for
                                 ///< series that do not accumulate.
    bool operator==(const RatioInterval&) const = default;
};

/// Returns the values of a formula over time, in the order of time and without overlaps. `series` are in the order of the formula's names.
/// There is one range for each column with points and for each gap between such columns. The value is computed from rates per second
/// (ratesOf()) and from means weighted by time. A ratio is therefore the growth of one series by the growth of another, never a mean of
/// ratios; a sum is per second at every zoom.
///
/// There is no value where a series is unknown, a total was reset, or the formula divides by 0. Ranges at the ends of the known time may be
/// a part of a column. Requires: resolution > 0.
/// Cost: one seriesColumns() for each series.
std::vector<RatioInterval> computeRatioIntervals(const Timeline& timeline, const CounterFormula& formula,
                                                 std::span<const ViewSeries> series, TimeRange window, Duration resolution,
                                                 std::stop_token stop = {});

/// Returns the value over the part of `range` in which all series are known, as one range; nullopt if this part is empty or has no value.
/// Cost: reads some blocks.
std::optional<RatioInterval> computeKnownRatio(const Timeline& timeline, const CounterFormula& formula, std::span<const ViewSeries> series,
                                               TimeRange range);

} // namespace helio
