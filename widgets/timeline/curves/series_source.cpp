#include "widgets/timeline/curves/series_source.h"

#include "core/counters/rates.h"
#include "core/counters/ratios.h"
#include "core/query/rows/facts.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/curves/curve_graph.h"

#include <algorithm>
#include <iterator>

namespace helio {

namespace {

QString withUnit(const ViewSeries& series, const QString& number)
{
    return series.unit.empty() ? number : number + QChar(0x2009) + text(series.unit);
}

} // namespace

QColor curveColor(const Theme& theme, int n)
{
    constexpr qreal Least = 3; // Minimum contrast of graphics according to WCAG.
    constexpr int Steps = 20;
    const QColor ground = theme.color("surface.timeline");
    const QColor ink = theme.color("text.primary");
    const QColor own = theme.category(n);
    QColor color = own;
    for (int i = 1; i <= Steps && contrast(color, ground) < Least; ++i)
        color = mixed(own, ink, qreal(i) / Steps);
    return color;
}

namespace {

/// Makes the series of a formula. Its unit is "/s" if the formula is a count instead of a ratio of counts.
NamedSeries ratioOf(const CounterFormula& formula, std::vector<ViewSeries> parts)
{
    std::vector<int> powers;
    for (const ViewSeries& it : parts)
        powers.push_back(it.kind == CounterSeries::Kind::Accumulating ? 1 : 0);
    NamedSeries named;
    named.series = parts.front();
    named.series.id = formula.text() + ' ' + parts.front().id;
    named.series.title = formula.text();
    named.series.unit = formula.power(powers) == 1 ? "/s" : "";
    named.series.kind = CounterSeries::Kind::Gauge;
    named.series.number = CounterNumber::Real;
    named.series.growth = {};
    named.ratio = std::make_shared<const SeriesRatio>(formula, std::move(parts));
    return named;
}

} // namespace

std::vector<NamedSeries> namedSeries(const Timeline& timeline, std::string_view view, const Theme& theme,
                                     std::span<const CounterFormula> ratios)
{
    const std::vector<ViewSeries> recorded = viewSeries(timeline, view);
    std::vector<NamedSeries> all;
    for (const CounterFormula& formula : ratios)
        for (std::vector<ViewSeries>& parts : findRowsWithSeries(recorded, formula.names()))
            all.push_back(ratioOf(formula, std::move(parts)));
    const std::size_t made = all.size();
    for (const ViewSeries& it : recorded)
        all.emplace_back().series = it;
    std::vector<ViewSeries> series;
    std::ranges::transform(all, std::back_inserter(series), &NamedSeries::series);
    const std::vector<SeriesOwner> places = findSeriesOwners(timeline, series);
    const std::vector<std::string> names = namesOf(timeline, series, places);
    const std::vector<HostHeading> hosts = hostHeadings(timeline);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].name = text(names[i]);
        // Recorded series get the first colours, so that they keep them when ratios are added.
        all[i].colorIndex = int(i < made ? recorded.size() + i : i - made);
        all[i].color = curveColor(theme, all[i].colorIndex);
        if (hosts.size() > 1)
            all[i].host = hosts[places[i].guest.value_or(hostOf(timeline, series[i].trace))];
        all[i].place = places[i];
    }
    return all;
}

CurveData fetchSeries(const Timeline& timeline, const ViewSeries& series, TimeRange window, Duration resolution, std::stop_token stop)
{
    const Timestamp end = std::min(coveredRange(timeline, series.trace).end, knownUntil(timeline, series.ref));
    SeriesColumns growth = series.growth ? seriesColumns(timeline, *series.growth, window, resolution, stop) : SeriesColumns();
    return {seriesColumns(timeline, series.ref, window, resolution, stop),
            series.kind,
            series.number,
            end,
            rateScale(series),
            std::move(growth)};
}

CurveData fetchCurve(const Timeline& timeline, const NamedSeries& named, TimeRange window, Duration resolution, std::stop_token stop)
{
    if (!named.ratio)
        return fetchSeries(timeline, named.series, window, resolution, stop);
    CurveData known;
    known.end = knownUntil(timeline, named);
    known.ratio = computeRatioIntervals(timeline, named.ratio->formula, named.ratio->parts, window, resolution, stop);
    return known;
}

Timestamp knownUntil(const Timeline& timeline, const NamedSeries& series)
{
    Timestamp until = Timestamp::max();
    for (const ViewSeries& it : series.recorded())
        until = std::min(until, knownUntil(timeline, it.ref));
    return until;
}

double rateScale(const ViewSeries& series) { return isShareOfTime(series) ? 100 : 1; }

QString drawnUnit(const ViewSeries& series)
{
    if (isShareOfTime(series))
        return QStringLiteral("%");
    return text(series.unit) + (series.kind == CounterSeries::Kind::Accumulating ? QStringLiteral("/s") : QString());
}

QString commonUnit(std::span<const ViewSeries* const> series)
{
    if (series.empty())
        return {};
    const QString first = drawnUnit(*series.front());
    return std::ranges::all_of(series, [&](const ViewSeries* it) { return drawnUnit(*it) == first; }) ? first : QString();
}

QString beside(const QString& value, const ValueScale& scale, const ViewSeries& series)
{
    const QString top = shortValue(scale.high, drawnUnit(series));
    return value.isEmpty() ? CurveGraph::tr("up to %1").arg(top) : CurveGraph::tr("%1 of %2").arg(value, top);
}

QString exactValue(const ViewSeries& series, CounterValue value)
{
    const QString number = series.number == CounterNumber::Integer ? countText(value.integer()) : text(valueText(series.number, value));
    return withUnit(series, number);
}

QString readableValue(const ViewSeries& series, CounterValue value, int digits)
{
    return series.number == CounterNumber::Integer ? exactValue(series, value)
                                                   : withUnit(series, QString::number(value.real(), 'g', digits));
}

} // namespace helio
