#include "widgets/timeline/curves/curve_layout.h"

#include "core/counters/rates.h"

#include <algorithm>

namespace helio {

namespace {

/// Maximum distance in pixels between the view and a point outside of it; points farther outside are moved to this distance.
constexpr double Outside = 4;

class CurveLayouter {
public:
    CurveLayouter(const CurveData& series, const TimeScale& scale)
        : m_series(series)
        , m_scale(scale)
    {
    }

    Curve gauge()
    {
        const SeriesColumns& all = m_series.columns;
        std::optional<SeriesPoint> held = all.before; ///< Last point before the current span; its value applies until the next point.
        Timestamp from = held ? held->time : Timestamp();
        for (const SeriesColumn& column : all.columns) {
            const Timestamp begin = column.count == 1 ? column.first.time : column.range.begin;
            if (held)
                add({from, begin}, number(held->value));
            if (column.count > 1)
                addFolded(column, held);
            held = column.last;
            from = column.count == 1 ? held->time : column.range.end;
        }
        if (held)
            add({from, all.after ? all.after->time : m_series.end}, number(held->value));
        return std::move(m_curve);
    }

    Curve rates()
    {
        std::vector<RateInterval> rates = ratesOf(m_series.columns, m_series.number);
        addExtremes(rates, m_series.growth);
        for (const RateInterval& rate : rates)
            add(rate.range, {0, 0, rate.perSecond * m_series.rateScale, rate.least * m_series.rateScale, rate.most * m_series.rateScale});
        return std::move(m_curve);
    }

    Curve ratio()
    {
        for (const RatioInterval& it : *m_series.ratio)
            add(it.range, it.value);
        return std::move(m_curve);
    }

private:
    double number(CounterValue value) const { return value.number(m_series.number); }
    double x(Timestamp at) const { return std::clamp(m_scale.xAt(at), -Outside, m_scale.width() + Outside); }

    void add(TimeRange range, double value) { add(range, {0, 0, value, value, value}); }
    void add(TimeRange range, CurveSpan span)
    {
        span.begin = x(range.begin);
        span.end = x(range.end);
        if (range.begin < range.end && span.end > span.begin)
            m_curve.push_back(span);
    }

    void addFolded(const SeriesColumn& column, const std::optional<SeriesPoint>& held)
    {
        CurveSpan span{0, 0, column.mean, number(column.least), number(column.most)};
        if (held && column.first.time > column.range.begin) {
            span.least = std::min(span.least, number(held->value));
            span.most = std::max(span.most, number(held->value));
        }
        // The mean is rounded, and covers only the part of the column inside the window, so it may be outside of the column's minimum and
        // maximum.
        span.value = std::clamp(span.value, span.least, span.most);
        add(column.range, span);
    }

    const CurveData& m_series;
    const TimeScale& m_scale;
    Curve m_curve;
};

} // namespace

Curve layOutCurve(const CurveData& series, const TimeScale& scale)
{
    if (!scale.isValid())
        return {};
    CurveLayouter layout(series, scale);
    if (series.ratio)
        return layout.ratio();
    return series.kind == CounterSeries::Kind::Accumulating ? layout.rates() : layout.gauge();
}

ValueRange valueRangeIn(const Curve& curve, double width)
{
    ValueRange values;
    for (const CurveSpan& span : curve)
        if (span.begin < width && span.end > 0)
            values.add({span.least, span.most});
    return values;
}

const CurveSpan* curveSpanAt(const Curve& curve, double x)
{
    const auto after = std::ranges::upper_bound(curve, x, {}, &CurveSpan::begin);
    return after != curve.begin() && std::prev(after)->end > x ? &*std::prev(after) : nullptr;
}

} // namespace helio
