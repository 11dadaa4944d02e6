#pragma once

#include "core/counters/ratio_stretches.h"
#include "widgets/time/time_scale.h"
#include "widgets/timeline/curves/value_scale.h"

#include <optional>
#include <vector>

namespace helio {

/// A stretch of a curve in which its line is level. Positions in pixels of the scale it was laid out with; those far outside stand just
/// outside.
struct CurvePiece {
    double begin = 0;
    double end = 0;
    double value = 0; ///< Of the line.
    double least = 0; ///< What the series was in it: from here...
    double most = 0; ///< ...to here. Both are the value where the series had one alone.
    bool operator==(const CurvePiece&) const = default;
};
/// In order. Where a piece begins at the end of the one before, a line joins them; else the series has no value between them.
using Curve = std::vector<CurvePiece>;

/// What is known of a series.
struct KnownSeries {
    SeriesColumns columns;
    CounterSeries::Kind kind = CounterSeries::Kind::Gauge;
    CounterNumber number = CounterNumber::Integer;
    Timestamp end; ///< Of its last value: of the trace, or as far as it was read.
    SeriesColumns growth = {}; ///< Of an accumulating series, where that is kept: ViewSeries::growth.
    std::optional<std::vector<RatioStretch>> ratio = {}; ///< Of a formula, which has this alone and no columns.
};

/// A gauge holds its value from a point to the next. A column of several points is one piece: its line is the mean by time, from the least
/// to the most of all it was in it, so a single point is seen at any zoom. An accumulating series is its rate per second (rates.h),
/// from the slowest to the fastest that it grew where that is kept. A ratio is one value a stretch.
Curve layOutCurve(const KnownSeries& series, const TimeScale& scale);

/// What a curve is from 0 to `width`.
ValueRange valuesIn(const Curve& curve, double width);

/// The piece at a position; null: it has no value there.
const CurvePiece* pieceAt(const Curve& curve, double x);

} // namespace helio
