// Mouse and keys of a time graph, as far as they are not common to all bodies.

#include "widgets/timeline/graph/lanes/lane_lookup.h"
#include "widgets/timeline/graph/state_steps.h"
#include "widgets/timeline/graph/time_graph.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include <cmath>

namespace helio {

namespace {

constexpr int TickPixels = 4; ///< Distance in pixels at which a click hits an event.
constexpr int RowKept = 20; ///< Pixels of the previous page that stay in view.

} // namespace

bool TimeGraph::scrollBy(QPoint, double notches)
{
    const int before = m_scroll->value();
    m_scroll->setValue(before - int(std::lround(notches * 60)));
    return m_scroll->value() != before;
}

/// Opens or closes the row, or selects it.
void TimeGraph::pressLabel(QPoint at)
{
    const int row = rowAt(at);
    if (row < 0)
        return;
    const GraphRow& it = m_rows[row];
    const int chevron = 7 + it.depth * 16;
    const QRect rect(0, m_rows.top(row) - m_scroll->value(), axis().labelWidth(), m_rows.metrics(row).height);
    if (clockChipAt(at) >= 0)
        return axis().hosts().askForClock(it.host);
    if (it.hiddenDepths > 0 && hiddenDepthsChip(rect).contains(at)) {
        emit hiddenDepthsWanted(row);
        return;
    }
    if (it.hasChildren && at.x() >= chevron - 2 && at.x() < chevron + 17) {
        emit rowToggled(row);
        return;
    }
    if (it.ref.isValid())
        axis().window().setRow(it.ref);
}

void TimeGraph::click(QPoint at)
{
    if (const TrackRef row = trackAt(at); row.isValid())
        axis().window().setRow(row);
    const Timestamp here = timeAt(at);
    const Lane* lane = laneAt(at);
    const auto event = lane ? nearestEvent(*lane, here, axis().scale(width()).durationOf(TickPixels)) : std::nullopt;
    axis().window().setCursor(event.value_or(here));
    const ArrowLine* line = m_frame.arrows().lineAt(at - timeArea().topLeft(), ArrowHitDistance);
    if (line && line->arrow.message != NoMessage) // Other arrows are described by the states at their ends.
        return axis().chooseArrow(line->arrow);
    if (const int row = rowAt(at); row >= 0 && m_rows[row].hasFrames()) {
        const TimeRange folded = lane ? foldedRangeAt(*lane, here) : TimeRange();
        selectCall(axis(), m_rows[row].ref, folded.isEmpty() ? TimeRange{here, timeAt(at + QPoint(1, 0))} : folded);
    }
}

TrackRef TimeGraph::trackAt(QPoint at) const
{
    const int row = rowAt(at);
    if (row < 0)
        return {};
    // The thread's name stands beside its outermost calls.
    const bool isThread = isInLabels(at) && m_rows[row].drawnAs == RowShape::FirstFrame;
    return isThread ? m_rows[row].meter() : m_rows[row].ref;
}

TrackRef TimeGraph::laneTrackAt(QPoint at) const
{
    const int row = rowAt(at);
    if (row < 0 || m_rows[row].lanes.empty())
        return row < 0 ? TrackRef() : m_rows[row].lane();
    const int y = at.y() + m_scroll->value() - m_rows.top(row) - LanePad;
    const bool isOnLane = y >= 0 && y / LanePitch < int(m_rows[row].lanes.size());
    return isOnLane ? m_rows[row].lanes[std::size_t(y / LanePitch)] : TrackRef();
}

const Lane* TimeGraph::laneAt(QPoint at) const { return m_fetcher.lane(laneTrackAt(at)); }

std::optional<Timestamp> TimeGraph::snapped(QPoint at, Timestamp time) const
{
    const Lane* lane = laneAt(at);
    return lane ? nearestBoundary(*lane, time, axis().scale(width()).durationOf(SnapPixels)) : std::nullopt;
}

void TimeGraph::hoverOver(std::optional<QPoint> at)
{
    const int row = at ? rowAt(*at) : -1;
    axis().setPointedRow(row >= 0 && !isInLabels(*at) ? m_rows[row].ref : TrackRef());
    axis().setHoveredHost(row >= 0 && m_rows.hasHosts() ? std::optional(m_rows[row].host) : std::nullopt);
    if (std::exchange(m_hoveredRow, row) == row)
        return;
    tips().hide();
    m_frame.refreshLitRows(m_hoveredRow, selectedRow());
    if (at)
        requestRowArrows();
}

void TimeGraph::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    const int row = rowAt(at);
    if (event->button() != Qt::LeftButton || row < 0)
        return;
    if (isInLabels(at)) {
        if (m_rows[row].hasChildren)
            emit rowToggled(row);
        return;
    }
    if (!m_rows[row].ref.isValid())
        return;
    axis().window().setRow(m_rows[row].ref);
    axis().window().setCursor(timeAt(at));
    helio::zoomToState(axis());
}

bool TimeGraph::pressKey(const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: stepState(axis(), event.key() == Qt::Key_Right); return true;
    case Qt::Key_Up: previousRow(); return true;
    case Qt::Key_Down: nextRow(); return true;
    case Qt::Key_PageUp: m_scroll->setValue(m_scroll->value() - m_scroll->pageStep() + RowKept); return true;
    case Qt::Key_PageDown: m_scroll->setValue(m_scroll->value() + m_scroll->pageStep() - RowKept); return true;
    case Qt::Key_Period: followArrow(true); return true;
    case Qt::Key_Comma: followArrow(false); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: helio::zoomToState(axis()); return true;
    default: return false;
    }
}

} // namespace helio
