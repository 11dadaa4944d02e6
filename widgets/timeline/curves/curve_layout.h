#pragma once

#include "core/counters/ratio_intervals.h"
#include "widgets/time/time_scale.h"
#include "widgets/timeline/curves/value_scale.h"

#include <optional>
#include <vector>

namespace helio {

/// Horizontal part of a curve. Positions are in pixels of the scale that it was laid out with; positions far outside are clamped to just
/// outside.
struct CurveSpan {
    double begin = 0;
    double end = 0;
    double value = 0; ///< Value of the line.
    double least = 0; ///< Minimum of the series in this part; equal to `value` if the series has only one value here.
    double most = 0; ///< Maximum of the series in this part; equal to `value` if the series has only one value here.
    bool operator==(const CurveSpan&) const = default;
};
/// Parts in ascending order. If one begins where the previous one ends, a line joins them; otherwise the series has no value in between.
using Curve = std::vector<CurveSpan>;

/// Known data of a series.
struct CurveData {
    SeriesColumns columns;
    CounterSeries::Kind kind = CounterSeries::Kind::Gauge;
    CounterNumber number = CounterNumber::Integer;
    Timestamp end; ///< End of its last value: the end of the trace, or of what is indexed.
    SeriesColumns growth = {}; ///< ViewSeries::growth of an accumulating series, if it was recorded.
    /// Values of a formula, which has no columns; nullopt for a recorded series.
    std::optional<std::vector<RatioInterval>> ratio = {};
};

/// Lays out a curve. A gauge holds its value from one point to the next. A column of several points becomes one part: its line is the mean
/// weighted by time, with the range from minimum to maximum, so that a single point is seen at any zoom. An accumulating series is drawn as
/// its rate per second (rates.h), with the range from the slowest to the fastest growth if that was recorded. A ratio has one value per
/// interval.
Curve layOutCurve(const CurveData& series, const TimeScale& scale);

/// Returns the range of the curve's values from 0 to `width`.
ValueRange valueRangeIn(const Curve& curve, double width);

/// Returns the part at a position; nullptr if the curve has no value there.
const CurveSpan* curveSpanAt(const Curve& curve, double x);

} // namespace helio
