#include "widgets/curves/series_source.h"

#include "core/query/rows/facts.h"
#include "widgets/curves/curve_graph.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <algorithm>

namespace helio {

namespace {

QString withUnit(const ViewSeries& series, const QString& number)
{
    return series.unit.empty() ? number : number + QChar(0x2009) + text(series.unit);
}

} // namespace

QColor curveColor(const Theme& theme, int n)
{
    constexpr qreal Least = 3; // WCAG's, for graphics.
    constexpr int Steps = 20;
    const QColor ground = theme.color("surface.timeline");
    const QColor ink = theme.color("text.primary");
    const QColor own = theme.category(n);
    QColor color = own;
    for (int i = 1; i <= Steps && contrast(color, ground) < Least; ++i)
        color = mixed(own, ink, qreal(i) / Steps);
    return color;
}

std::vector<NamedSeries> namedSeries(const Timeline& timeline, std::string_view view, const Theme& theme)
{
    std::vector<NamedSeries> all;
    const std::vector<ViewSeries> series = viewSeries(timeline, view);
    const std::vector<SeriesPlace> places = placesOf(timeline, series);
    const std::vector<std::string> names = namesOf(timeline, series, places);
    const std::vector<HostHeading> hosts = hostHeadings(timeline);
    for (std::size_t i = 0; i < series.size(); ++i) {
        all.push_back({series[i], text(names[i]), curveColor(theme, int(i))});
        if (hosts.size() > 1)
            all.back().host = hosts[places[i].guest.value_or(hostOf(timeline, series[i].trace))];
        all.back().place = places[i];
    }
    return all;
}

KnownSeries fetchSeries(const Timeline& timeline, const ViewSeries& series, TimeRange window, Duration resolution, std::stop_token stop)
{
    const Timestamp end = std::min(coveredRange(timeline, series.trace).end, knownUntil(timeline, series.ref));
    SeriesColumns growth = series.growth ? seriesColumns(timeline, *series.growth, window, resolution, stop) : SeriesColumns();
    return {seriesColumns(timeline, series.ref, window, resolution, stop), series.kind, series.number, end, std::move(growth)};
}

QString drawnUnit(const ViewSeries& series)
{
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
