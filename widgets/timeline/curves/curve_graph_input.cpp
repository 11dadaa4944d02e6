// Input of CurveGraph: the handling of mouse and keys that TimeBody leaves to its subclasses.

#include "core/query/rows/facts.h"
#include "widgets/timeline/curves/curve_graph.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <cmath>

namespace helio {

namespace {

constexpr double Reach = 8; ///< Maximum distance in pixels between the pointer and a curve that it hits.
/// Maximum number of names in the tooltip of the chip "+2", which lists the names of the curves that have no room in the label column.
constexpr std::size_t MostTooltipNames = 40;

} // namespace

bool CurveGraph::scrollBy(QPoint at, double notches)
{
    const int most = CurveScene::heightOf(int(m_series.size())) - height();
    if (most <= 0 || !isInLabels(at))
        return false;
    m_scrollY = std::clamp(m_scrollY - int(std::lround(notches * 3 * CurveScene::NameHeight)), 0, most);
    refreshLabels();
    return true;
}

int CurveGraph::lineAt(QPoint at) const
{
    const CurveScene scene = sceneNow();
    const int line = at.y() - scene.nameTop(0);
    const int index = line < 0 ? -1 : line / CurveScene::NameHeight;
    if (const auto more = hiddenNamesChip(scene); more && more->place.contains(at))
        return -1;
    return at.x() >= 0 && at.x() < scene.namesRight() && index < int(m_series.size()) ? index : -1;
}

void CurveGraph::pressLabel(QPoint at)
{
    if (const int line = lineAt(at); line >= 0)
        setShown(line, !isShown(line));
}

TrackRef CurveGraph::trackAt(QPoint at) const
{
    const int line = isInLabels(at) ? lineAt(at) : nearestLine(at);
    return line < 0 ? TrackRef() : m_series[std::size_t(line)].place.row;
}

/// Returns the recorded time that is nearest to `at`, at most SnapPixels away; nullopt if there is none. Only the first and the last
/// point of each pixel column of the shown curves are considered.
std::optional<Timestamp> CurveGraph::snapped(QPoint, Timestamp at) const
{
    const Duration reach = axis().scale(width()).durationOf(SnapPixels);
    std::optional<Timestamp> nearest;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const auto known = m_known.find(curveKey(m_series[i]));
        if (known == m_known.end() || !isShown(int(i)))
            continue;
        for (const SeriesColumn& column : known->second.series.columns.columns)
            for (const Timestamp time : {column.first.time, column.last.time})
                if (const Duration distance = std::chrono::abs(time - at);
                    distance <= reach && (!nearest || distance < std::chrono::abs(*nearest - at)))
                    nearest = time;
    }
    return nearest;
}

void CurveGraph::hoverOver(std::optional<QPoint> at)
{
    const int name = at && isInLabels(*at) ? lineAt(*at) : -1;
    const int line = name >= 0 ? name : at ? nearestLine(*at) : -1;
    axis().setHoveredHost(line >= 0 && axis().timeline()
                              ? std::optional(hostOf(*axis().timeline(), m_series[std::size_t(line)].series.trace))
                              : std::nullopt);
    if (std::exchange(m_hoveredName, name) != name)
        refreshLabels();
}

/// Shows a tooltip with the full text of a name that is cut.
bool CurveGraph::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return TimeBody::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString words = tipOf(help->pos());
    // A name from a trace must be shown as plain text, not as HTML.
    const QString tip = QStringLiteral("<qt>%1</qt>").arg(words.toHtmlEscaped().replace('\n', QStringLiteral("<br>")));
    words.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

QString CurveGraph::tipOf(QPoint at) const
{
    if (const auto more = hiddenNamesChip(sceneNow()); more && more->place.contains(at))
        return allNames();
    const int line = isInLabels(at) ? lineAt(at) : -1;
    if (line < 0)
        return {};
    return nameOf(std::size_t(line));
}

/// Returns the name of a series, with its host if there are several.
QString CurveGraph::nameOf(std::size_t line) const
{
    const NamedSeries& it = m_series[line];
    const QString host = it.host ? QString::fromStdString(it.host->name) : QString();
    return host.isEmpty() || it.name.contains(host) ? it.name : tr("%1, %2").arg(it.name, host);
}

QString CurveGraph::allNames() const
{
    QStringList names;
    for (std::size_t i = 0; i < std::min(m_series.size(), MostTooltipNames); ++i)
        names << nameOf(i);
    if (m_series.size() > MostTooltipNames)
        names << tr("and %1 more").arg(m_series.size() - MostTooltipNames);
    return names.join('\n');
}

Qt::CursorShape CurveGraph::shapeAt(QPoint at) const { return m_hoveredName >= 0 ? Qt::PointingHandCursor : TimeBody::shapeAt(at); }

/// Returns the index of the curve at the point. If two curves overlap there, it is the one painted last.
int CurveGraph::nearestLine(QPoint at) const
{
    if (isInLabels(at) || !m_values.isValid())
        return -1;
    const CurveScene scene = sceneNow();
    const double x = deviceScale().xAt(timeAt(at));
    int nearest = -1;
    double least = Reach;
    for (const std::size_t i : drawingOrder(m_lines)) {
        const CurveSpan* span = m_lines[i].isHidden ? nullptr : curveSpanAt(m_lines[i].curve, x);
        if (!span)
            continue;
        const double top = scene.yOf(m_lines[i], span->most), bottom = scene.yOf(m_lines[i], span->least);
        const double distance = std::max({0.0, top - at.y(), at.y() - bottom});
        if (distance <= least) {
            nearest = int(i);
            least = distance;
        }
    }
    return nearest;
}

void CurveGraph::click(QPoint at)
{
    if (const TrackRef row = trackAt(at); row.isValid())
        axis().window().setRow(row);
    axis().window().setCursor(timeAt(at));
}

void CurveGraph::stepPoint(bool forward)
{
    const auto timeline = axis().timeline();
    TimeWindow& window = axis().window();
    std::optional<Timestamp> nearest;
    for (std::size_t i = 0; timeline && i < m_series.size(); ++i) {
        if (!isShown(int(i)))
            continue;
        for (const ViewSeries& series : m_series[i].recorded()) {
            const auto point =
                forward ? nextPoint(*timeline, series.ref, window.cursor()) : previousPoint(*timeline, series.ref, window.cursor());
            if (point && (!nearest || (forward ? point->time < *nearest : point->time > *nearest)))
                nearest = point->time;
        }
    }
    if (!nearest)
        return;
    window.step({.cursor = *nearest});
}

bool CurveGraph::pressKey(const QKeyEvent& event)
{
    if (event.key() != Qt::Key_Left && event.key() != Qt::Key_Right)
        return false;
    stepPoint(event.key() == Qt::Key_Right);
    return true;
}

} // namespace helio
