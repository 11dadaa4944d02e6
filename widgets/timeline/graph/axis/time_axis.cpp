#include "widgets/timeline/graph/axis/time_axis.h"

#include <algorithm>
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
    width = std::clamp(width, 180, 520);
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

void TimeAxis::setHidesResting(bool hides)
{
    if (std::exchange(m_hidesResting, hides) != hides)
        emit restingChanged();
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

void TimeAxis::zoomIn() { m_window.zoom(0.6, zoomCentre()); }

void TimeAxis::zoomOut() { m_window.zoom(1 / 0.6, zoomCentre()); }

void TimeAxis::panLeft() { m_window.pan(-0.2); }

void TimeAxis::panRight() { m_window.pan(0.2); }

void TimeAxis::fit()
{
    const TimeRange visible = m_window.visible();
    const TimeRange full = m_window.full();
    if (visible == full && !m_beforeFit.isEmpty())
        return zoomTo(m_beforeFit);
    m_beforeFit = visible;
    zoomTo(full);
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
