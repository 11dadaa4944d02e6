#pragma once

#include "core/counters/formula.h"
#include "core/counters/rates.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A stretch of time in which all that a formula names went evenly, as far as is known.
struct RatioStretch {
    TimeRange range; ///< Not empty.
    double value = 0;
    std::vector<double> counted; ///< By the formula's names: what was counted in it; of series that do not accumulate the mean by time.
    bool operator==(const RatioStretch&) const = default;
};

/// A formula over time, `series` in the order of its names: of each column that has points, and of what lies between columns, its value of
/// the rates per second (ratesOf()) and the means by time there. Of a ratio that is what the one counted in the stretch by what the other
/// did, never a mean of ratios; of what is none, a sum, it is per second, at every zoom. Nothing is said where one of the series is not
/// known, or a total fell, or something is divided by 0: at the ends of what is known a stretch is a part of its column. In time order;
/// stretches do not overlap. Requires: resolution > 0. Cost: as seriesColumns() of each series.
std::vector<RatioStretch> ratioStretches(const Timeline& timeline, const CounterFormula& formula, std::span<const ViewSeries> series,
                                         TimeRange window, Duration resolution, std::stop_token stop = {});

/// The same of a range as one stretch: of that part of it in which all are known. Nothing also where that is empty. Cost: some blocks.
std::optional<RatioStretch> ratioOver(const Timeline& timeline, const CounterFormula& formula, std::span<const ViewSeries> series,
                                      TimeRange range);

} // namespace helio
