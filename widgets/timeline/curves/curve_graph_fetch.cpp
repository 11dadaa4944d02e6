// Requests of a graph of curves, which are answered off the UI thread.

#include "core/query/rows/facts.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/curves/curve_graph.h"
#include "widgets/timeline/curves/ratio_tip.h"

#include <chrono>

namespace helio {

namespace {

constexpr auto Batch = std::chrono::milliseconds(12);
constexpr int WholeColumns = 1000; ///< Resolution for the scale of the whole recording.

/// Extends the window by a quarter at both sides, so that a little panning needs no query.
TimeRange widened(TimeRange window)
{
    const Duration margin = window.duration() / 4;
    return {window.begin - margin, window.end + margin};
}

} // namespace

bool CurveGraph::isAnswered(const CachedSeries& known, const TimeScale& scale) const
{
    return known.version == m_version && known.resolution == scale.resolution() && known.window.begin <= scale.window().begin
        && known.window.end >= scale.window().end;
}

void CurveGraph::requestColumns()
{
    m_asksAgain = false;
    const auto timeline = axis().timeline();
    const TimeScale scale = deviceScale();
    if (!timeline || !scale.isValid() || !isVisible() || height() == 0)
        return m_columnsJob.cancel();
    std::vector<NamedSeries> asked;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const auto known = m_known.find(curveKey(m_series[i]));
        if (isShown(int(i)) && (known == m_known.end() || !isAnswered(known->second, scale)))
            asked.push_back(m_series[i]);
    }
    if (asked.empty())
        return m_columnsJob.cancel();
    m_columnsJob.post([this, timeline, asked = std::move(asked), window = widened(scale.window()), resolution = scale.resolution(),
                       version = m_version](std::stop_token stop) -> LatestTask::Delivery {
        auto since = std::chrono::steady_clock::now();
        FetchedSeries found;
        for (const NamedSeries& series : asked) {
            found.emplace_back(curveKey(series),
                               CachedSeries{fetchCurve(*timeline, series, window, resolution, stop), window, resolution, version});
            if (stop.stop_requested())
                return {};
            if (std::chrono::steady_clock::now() - since > Batch) {
                m_columnsJob.deliver(stop, [this, part = std::exchange(found, {})] { takeColumns(part); });
                since = std::chrono::steady_clock::now();
            }
        }
        return [this, found = std::move(found)] {
            takeColumns(found);
            if (m_asksAgain)
                requestColumns();
        };
    });
}

void CurveGraph::takeColumns(const FetchedSeries& answers)
{
    for (const auto& [series, known] : answers)
        m_known[series] = known;
    refresh();
}

/// Requests the range of the shown series over the whole recording, if the scale is fixed.
void CurveGraph::requestFullRanges()
{
    m_asksWholeAgain = false;
    const auto timeline = axis().timeline();
    if (!timeline || !m_isScaleFixed || !hasTimes(*timeline))
        return m_wholeJob.cancel();
    std::vector<NamedSeries> asked;
    for (std::size_t i = 0; i < m_series.size(); ++i)
        if (isShown(int(i)))
            asked.push_back(m_series[i]);
    m_wholeJob.post([this, timeline, asked = std::move(asked)](std::stop_token stop) -> LatestTask::Delivery {
        const TimeRange range = rangeOf(*timeline);
        const TimeScale scale({range.begin, range.end + Duration(1)}, WholeColumns);
        std::map<CurveKey, ValueRange> found;
        for (const NamedSeries& series : asked) {
            found[curveKey(series)] =
                valueRangeIn(layOutCurve(fetchCurve(*timeline, series, scale.window(), scale.resolution(), stop), scale), scale.width());
            if (stop.stop_requested())
                return {};
        }
        return [this, found = std::move(found)] {
            m_fullRanges = found;
            refresh();
            if (m_asksWholeAgain)
                requestFullRanges();
        };
    });
}

/// Requests the values beside the names. A new request replaces a pending one, as the pointer may move faster than disks answer.
void CurveGraph::requestValues()
{
    m_asksValuesAgain = false;
    const auto timeline = axis().timeline();
    if (!timeline || !isVisible() || m_series.empty())
        return m_valuesJob.cancel();
    std::vector<CounterRef> asked;
    for (std::size_t i = 0; i < m_series.size(); ++i)
        if (isShown(int(i)) && !m_series[i].ratio)
            asked.push_back(m_series[i].series.ref);
    m_valuesJob.post([this, timeline, asked = std::move(asked), at = valueTime()](std::stop_token stop) -> LatestTask::Delivery {
        std::map<CounterRef, SeriesPoint> found;
        for (const CounterRef series : asked) {
            if (stop.stop_requested())
                return {};
            if (const auto point = pointAt(*timeline, series, at);
                point && at <= coveredRange(*timeline, traceOf(*timeline, TrackRef{series.store, {}})).end)
                found.emplace(series, *point);
        }
        return [this, found = std::move(found)] {
            m_points = found;
            refreshLabels();
            if (m_asksValuesAgain)
                requestValues();
        };
    });
}

namespace {

QString tr(const char* text) { return CurveGraph::tr(text); }

/// Returns the tooltip of a series at a moment, with the values in the pixel around it.
std::optional<TipContent> tipFor(const Timeline& timeline, const NamedSeries& named, const CurveData& drawn, Timestamp at,
                                 const TimeFormat& format, int digits)
{
    const ViewSeries& series = named.series;
    const auto point = pointAt(timeline, series.ref, at);
    if (!point)
        return std::nullopt;
    TipContent tip;
    tip.look.color = named.color;
    tip.look.height = 16;
    tip.title = named.name;
    tip.duration = exactValue(series, point->value);
    tip.time = timeText(at, format, digits);
    const auto column =
        std::ranges::find_if(drawn.columns.columns, [&](const SeriesColumn& it) { return it.count > 1 && it.range.contains(at); });
    if (column != drawn.columns.columns.end()) {
        tip.facts.emplace_back(tr("Points"), tr("%1 in this pixel").arg(countText(qint64(column->count))));
        tip.facts.emplace_back(tr("Least"), exactValue(series, column->least));
        tip.facts.emplace_back(tr("Most"), exactValue(series, column->most));
    } else {
        tip.facts.emplace_back(tr("Since"), timeText(point->time, format, 9));
        if (const auto next = nextPoint(timeline, series.ref, at))
            tip.facts.emplace_back(tr("Then"), tr("%1, after %2").arg(exactValue(series, next->value), durationText(next->time - at)));
    }
    return tip;
}

} // namespace

void CurveGraph::requestRatioTip(const NamedSeries& named, const std::vector<RatioInterval>& stretches)
{
    const auto tip = ratioTip(named, stretches, timeAt(hoveredAt()), axis().format(), axis().digits(width()));
    if (!tip)
        return tips().hide();
    const auto find = [timeline = axis().timeline(), tip = *tip, named, range = axis().shownRange(),
                       theme = helio::theme()](std::stop_token stop, const TipController::Show& show) {
        show(tip);
        if (range.isEmpty())
            return;
        TipContent all = tip; // The range takes longer, so it is added in a second step.
        addRange(all, *timeline, named, range, theme, stop);
        if (!stop.stop_requested())
            show(all);
    };
    tips().ask(find, [this] { return TipPosition{hoveredAt(), hoveredAt().y(), hoveredAt().y()}; });
}

void CurveGraph::requestTip()
{
    const int line = nearestLine(hoveredAt());
    const auto timeline = axis().timeline();
    if (line < 0 || !timeline || !underMouse() || isDragging())
        return tips().hide();
    const NamedSeries& named = m_series[std::size_t(line)];
    const auto known = m_known.find(curveKey(named));
    if (known == m_known.end())
        return;
    if (known->second.series.ratio)
        return requestRatioTip(named, *known->second.series.ratio);
    const TimeScale scale = deviceScale();
    const CurveSpan* piece = curveSpanAt(m_lines[std::size_t(line)].curve, scale.xAt(timeAt(hoveredAt())));
    const bool isRate = named.series.kind == CounterSeries::Kind::Accumulating;
    std::vector<std::pair<QString, QString>> rates;
    const auto addRate = [&](const QString& what, double value) { rates.emplace_back(what, shortValue(value, drawnUnit(named.series))); };
    if (isRate && piece)
        addRate(tr("Rate"), piece->value);
    if (isRate && piece && piece->least < piece->most) {
        addRate(tr("Slowest"), piece->least);
        addRate(tr("Fastest"), piece->most);
    }
    const auto find = [timeline, named, drawn = known->second.series, rates, at = timeAt(hoveredAt()), format = axis().format(),
                       digits = axis().digits(width())](std::stop_token, const TipController::Show& show) {
        auto tip = tipFor(*timeline, named, drawn, at, format, digits);
        if (tip)
            tip->facts.insert(tip->facts.begin(), rates.begin(), rates.end());
        show(tip);
    };
    tips().ask(find, [this] { return TipPosition{hoveredAt(), hoveredAt().y(), hoveredAt().y()}; });
}

} // namespace helio
