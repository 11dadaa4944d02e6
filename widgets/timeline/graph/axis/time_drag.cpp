#include "widgets/timeline/graph/axis/time_drag.h"

#include <cmath>
#include <cstdlib>

namespace helio {

namespace {

constexpr int Threshold = 3; ///< Minimum distance in pixels that makes a press a drag.
constexpr int Handle = 3; ///< Half the width of the area in which an edge can be grabbed, in pixels.

} // namespace

Timestamp TimeDrag::timeAt(int x) const { return m_scale.timeAt(x - m_axis.labelWidth()); }

bool TimeDrag::isOnEdge(QPoint at, int width) const
{
    const TimeRange range = m_axis.window().selection();
    if (range.isEmpty())
        return false;
    const TimeScale scale = m_axis.scale(width);
    const double x = at.x() - m_axis.labelWidth();
    return std::abs(scale.xAt(range.begin) - x) <= Handle || std::abs(scale.xAt(range.end) - x) <= Handle;
}

void TimeDrag::begin(QPoint at, int width, Qt::MouseButton button, bool isPanning)
{
    m_from = at;
    m_width = width;
    m_scale = m_axis.scale(width);
    m_hasMoved = false;
    if (!m_scale.isValid())
        return;
    m_anchor = timeAt(at.x());
    m_mode = button == Qt::MiddleButton || isPanning ? Mode::Pan : button == Qt::RightButton ? Mode::Zoom : Mode::Select;
    // The drag moves the edge under the pointer; the opposite edge of the range stays in place.
    if (m_mode == Mode::Select && isOnEdge(at, width)) {
        const TimeRange range = m_axis.window().selection();
        const double x = at.x() - m_axis.labelWidth();
        const bool isBegin = std::abs(m_scale.xAt(range.begin) - x) < std::abs(m_scale.xAt(range.end) - x);
        m_anchor = isBegin ? range.end : range.begin;
    }
}

void TimeDrag::move(QPoint at, const std::function<std::optional<Timestamp>(Timestamp)>& snap)
{
    if (m_mode == Mode::None)
        return;
    m_hasMoved = m_hasMoved || std::abs(at.x() - m_from.x()) >= Threshold;
    if (!m_hasMoved)
        return;
    TimeWindow& window = m_axis.window();
    if (m_mode == Mode::Pan) {
        const Duration shift = m_scale.durationOf(m_from.x() - at.x());
        window.setVisible({m_scale.window().begin + shift, m_scale.window().end + shift});
        return;
    }
    Timestamp to = timeAt(at.x());
    const auto held = snap ? snap(to) : std::nullopt;
    m_axis.setSnapped(held);
    to = held.value_or(to);
    const TimeRange range =
        TimeRange{std::min(m_anchor, to), std::max(m_anchor, to)}.clippedTo({window.full().begin, window.full().end + Duration(1)});
    m_mode == Mode::Select ? window.setSelection(range) : m_axis.setZoomRange(range);
}

bool TimeDrag::end()
{
    const Mode mode = m_mode;
    const bool hasMoved = m_hasMoved;
    const auto range = m_axis.zoomRange();
    cancel();
    if (mode == Mode::Zoom && hasMoved && range && !range->isEmpty())
        m_axis.zoomTo(*range);
    return mode != Mode::None && hasMoved;
}

void TimeDrag::cancel()
{
    m_mode = Mode::None;
    m_axis.setZoomRange(std::nullopt);
    m_axis.setSnapped(std::nullopt);
}

} // namespace helio
