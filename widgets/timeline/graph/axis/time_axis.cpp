#include "widgets/timeline/graph/axis/time_axis.h"

#include "widgets/timeline/graph/label_metrics.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace helio {

void TimeAxis::setTimeline(std::shared_ptr<const Timeline> timeline)
{
    m_timeline = std::move(timeline);
    m_hitRows.setTimeline(m_timeline);
    emit timelineChanged();
}

void TimeAxis::setLabelWidth(int width)
{
    m_isLabelWidthChosen = true;
    changeLabelWidth(std::clamp(width, 180, 520));
}

void TimeAxis::fitLabels(int windowWidth)
{
    if (!m_isLabelWidthChosen)
        changeLabelWidth(windowWidth < 1100 ? 180 : windowWidth < 1360 ? NarrowLabels : 300);
}

void TimeAxis::changeLabelWidth(int width)
{
    if (width == m_labelWidth)
        return;
    m_labelWidth = width;
    emit labelWidthChanged();
}

void TimeAxis::setFormat(const TimeFormat& format)
{
    if (format == m_format)
        return;
    m_format = format;
    emit formatChanged();
}

void TimeAxis::setDensity(Density density)
{
    if (density == m_density)
        return;
    m_density = density;
    emit densityChanged();
}

void TimeAxis::setShowsArrows(bool shows)
{
    if (shows == m_showsArrows)
        return;
    m_showsArrows = shows;
    emit arrowsChanged();
}

void TimeAxis::setStopped(bool isStopped)
{
    if (m_isStopped != std::exchange(m_isStopped, isStopped))
        emit timelineChanged();
}

void TimeAxis::setLight(std::shared_ptr<const HighlightMask> light)
{
    if (std::exchange(m_light, light) != light)
        emit lightChanged();
}

void TimeAxis::setShowsLight(bool shows)
{
    if (std::exchange(m_showsLight, shows) != shows)
        emit lightChanged();
}

void TimeAxis::setShowsOnlyPath(bool shows)
{
    if (std::exchange(m_showsOnlyPath, shows) != shows)
        emit onlyPathChanged();
}

void TimeAxis::setHidesResting(bool hides)
{
    if (std::exchange(m_hidesResting, hides) != hides)
        emit restingChanged();
}

void TimeAxis::setBoxRows(std::vector<TrackRef> rows)
{
    if (rows == m_boxRows)
        return;
    m_boxRows = std::move(rows);
    emit boxRowsChanged();
}

void TimeAxis::setShowsAllLinks(bool shows)
{
    if (shows == m_showsAllLinks)
        return;
    m_showsAllLinks = shows;
    emit arrowsChanged();
}

void TimeAxis::setHoveredHost(std::optional<std::uint32_t> host)
{
    if (std::exchange(m_hoveredHost, host) != host)
        emit hoveredHostChanged();
}

void TimeAxis::setZoomRange(std::optional<TimeRange> range)
{
    if (range == m_zoomRange)
        return;
    m_zoomRange = range;
    emit rangeShownChanged();
}

void TimeAxis::setSnapped(std::optional<Timestamp> at)
{
    if (at == m_snapped)
        return;
    m_snapped = at;
    emit rangeShownChanged();
}

Timestamp TimeAxis::zoomCentre() const
{
    const TimeRange visible = m_window.visible();
    return visible.contains(m_window.cursor()) ? m_window.cursor() : visible.begin + visible.duration() / 2;
}

void TimeAxis::zoomBy(double factor, Timestamp around)
{
    const TimeWindow::Step step(m_window, TimeWindow::Series::Zoom);
    m_window.zoom(factor, around);
}

void TimeAxis::panBy(double share)
{
    const TimeWindow::Step step(m_window, TimeWindow::Series::Zoom);
    m_window.pan(share);
}

void TimeAxis::zoomIn() { zoomBy(0.6, zoomCentre()); }

void TimeAxis::zoomOut() { zoomBy(1 / 0.6, zoomCentre()); }

void TimeAxis::panLeft() { panBy(-0.2); }

void TimeAxis::panRight() { panBy(0.2); }

void TimeAxis::fit() { fitNext(true); }

void TimeAxis::showAll() { fitNext(false); }

/// Shows the next of these ranges: the selected range, the whole experiment, the visible range from before the first call. Skips
/// ranges that are shown already. If the visible range or the selected range has changed since the last call, begins again with the first
/// range.
void TimeAxis::fitNext(bool withSelection)
{
    const TimeRange visible = m_window.visible();
    const TimeRange selection = withSelection ? m_window.selection() : TimeRange();
    const bool isNew = visible != m_fitted || selection != m_fittedSelection;
    if (isNew && (visible != m_window.full() || !selection.isEmpty()))
        m_beforeFit = visible;
    if (isNew)
        m_nextFit = selection.isEmpty() && visible == m_window.full() ? 2 : 0;
    const TimeRange cycle[]{selection, m_window.full(), m_beforeFit};
    for (std::size_t i = 0; i < std::size(cycle) && m_window.visible() == visible; ++i) {
        const TimeRange& range = cycle[std::exchange(m_nextFit, (m_nextFit + 1) % std::size(cycle))];
        if (!range.isEmpty() && range != visible)
            zoomTo(range);
    }
    m_fitted = m_window.visible();
    m_fittedSelection = selection;
}

void TimeAxis::zoomToSelection()
{
    if (!m_window.selection().isEmpty())
        zoomTo(m_window.selection());
}

void TimeAxis::zoomTo(TimeRange range) { m_window.jump({.visible = range}); }

void TimeAxis::toStart() { m_window.jump({.cursor = m_window.full().begin}); }

void TimeAxis::toEnd() { m_window.jump({.cursor = m_window.full().end}); }

std::vector<Timestamp> TimeAxis::momentsIn(TimeRange range, Duration resolution) const
{
    std::vector<Timestamp> found;
    if (!m_moments)
        return found;
    for (auto it = std::ranges::lower_bound(*m_moments, range.begin); it != m_moments->end() && *it < range.end;
         it = std::lower_bound(it + 1, m_moments->end(), *it + resolution))
        found.push_back(*it);
    return found;
}

} // namespace helio
