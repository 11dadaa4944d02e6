#pragma once

#include "core/counters/ratio_intervals.h"
#include "widgets/time/time_scale.h"
#include "widgets/timeline/curves/value_scale.h"

#include <optional>
#include <vector>

namespace helio {

/// Horizontal span of a curve with one line value. x is in pixels of the scale that the curve was laid out with; positions far outside of
/// the view are clamped to just outside.
struct CurveSpan {
    double begin = 0;
    double end = 0;
    double value = 0; ///< Value at which the span's horizontal line is drawn.
    double least = 0; ///< Minimum of the series in this span; equal to `value` if the series has only one value here.
    double most = 0; ///< Maximum of the series in this span; equal to `value` if the series has only one value here.
    bool operator==(const CurveSpan&) const = default;
};
/// Spans of a curve, from left to right. If a span begins where the previous span ends, a line joins them; between other spans, the series
/// has no value.
using Curve = std::vector<CurveSpan>;

/// Data of one series for a time range, as fetched from the timeline.
struct CurveData {
    SeriesColumns columns;
    CounterSeries::Kind kind = CounterSeries::Kind::Gauge;
    CounterNumber number = CounterNumber::Integer;
    Timestamp end; ///< End of the last value: the end of the trace, or of the part that is indexed so far.
    double rateScale = 1; ///< Factor of the rates of an accumulating series, e.g. 100 for a share of time in percent.
    /// Columns of the growth per second that was recorded for an accumulating series (ViewSeries::growth); empty if none was recorded.
    SeriesColumns growth = {};
    /// Values of a formula over several counters; nullopt for a recorded counter. If set, the curve is drawn from these values, and
    /// `columns` is not used.
    std::optional<std::vector<RatioInterval>> ratio = {};
};

/// Lays out the curve of a series as spans:
/// - a gauge holds its value from one point to the next;
/// - a column with several points becomes one span: its line is at the time-weighted mean, with the range from minimum to maximum, so that
/// a single point is visible at any zoom;
/// - an accumulating series is drawn as its rate per second (rates.h), with the range from the slowest to the fastest growth if that was
/// recorded;
/// - a ratio has one value per interval.
Curve layOutCurve(const CurveData& series, const TimeScale& scale);

/// Returns the minimum and maximum of the curve between x = 0 and x = `width`.
ValueRange valueRangeIn(const Curve& curve, double width);

/// Returns the span at x; nullptr if the curve has no value there.
const CurveSpan* curveSpanAt(const Curve& curve, double x);

} // namespace helio
