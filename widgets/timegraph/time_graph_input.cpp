// Mouse and keys of a time graph: the habits.

#include "widgets/timegraph/time_graph.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <cmath>

namespace helio {

namespace {

constexpr int SnapPixels = 12;
constexpr int TickPixels = 4; ///< A click so near an event means it.

} // namespace

void TimeGraph::wheelEvent(QWheelEvent* event)
{
    hideTip();
    const bool isTaken = m_hand.turnWheel(*event);
    if (!isTaken && m_scroll->maximum() == 0)
        return event->ignore();
    if (!isTaken)
        m_scroll->setValue(m_scroll->value() - int(std::lround(TimeHand::scrollNotches(*event) * 60)));
    event->accept();
}

void TimeGraph::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    hideTip();
    m_tipTimer.stop();
    m_showsFocus = false;
    if (m_hand.press(*event))
        setCursor(m_hand.shapeAt(at));
    else if (event->button() == Qt::LeftButton)
        press(at);
    else if (event->button() == Qt::RightButton)
        emit contextMenuRequested(event->globalPosition().toPoint(), rowAt(at) >= 0 ? m_rows[rowAt(at)].ref : TrackRef(),
                                  m_axis.window().cursor());
}

/// In the label column: opens and closes, or selects.
void TimeGraph::press(QPoint at)
{
    const int row = rowAt(at);
    if (row < 0)
        return;
    const GraphRow& it = m_rows[row];
    const int chevron = 7 + it.depth * 16;
    if (it.hasChildren && at.x() >= chevron - 2 && at.x() < chevron + 17) {
        emit rowToggled(row);
        return;
    }
    if (it.ref.isValid())
        m_axis.window().setRow(it.ref);
}

Timestamp TimeGraph::eventNear(int row, QPoint at) const
{
    const Timestamp here = timeAt(at);
    const auto lane = row >= 0 && row < m_rows.count() ? m_lanes.find(m_rows[row].lane()) : m_lanes.end();
    if (lane == m_lanes.end() || !lane->second->isOfEvents)
        return here;
    Timestamp nearest = here;
    Duration least = m_axis.scale(width()).durationOf(TickPixels);
    for (const SampleTicks& tick : lane->second->samples) {
        if (const Duration distance = std::chrono::abs(tick.at - here); distance <= least) {
            nearest = tick.at;
            least = distance;
        }
    }
    return nearest;
}

std::optional<Timestamp> TimeGraph::boundaryNear(int row, Timestamp at) const
{
    if (row < 0 || row >= m_rows.count())
        return std::nullopt;
    const auto lane = m_lanes.find(m_rows[row].lane());
    if (lane == m_lanes.end())
        return std::nullopt;
    const Duration reach = m_axis.scale(width()).durationOf(SnapPixels);
    std::optional<Timestamp> nearest;
    for (const Span& span : lane->second->spans.spans) {
        for (const Timestamp edge : {span.range.begin, span.range.end}) {
            const Duration distance = std::chrono::abs(edge - at);
            if (span.count == 1 && distance <= reach && (!nearest || distance < std::chrono::abs(*nearest - at)))
                nearest = edge;
        }
    }
    return nearest;
}

void TimeGraph::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (!m_hand.move(*event, [&](Timestamp t) { return boundaryNear(rowAt(at), t); }))
        hover(at);
}

void TimeGraph::hover(QPoint at)
{
    const int row = rowAt(at);
    if (row != m_hoveredRow) {
        m_hoveredRow = row;
        hideTip();
        refreshLitRows();
        requestRowArrows();
    }
    m_hoveredAt = at;
    m_axis.window().setHovered(isInLabels(at) ? std::nullopt : std::optional(timeAt(at)));
    setCursor(m_hand.shapeAt(at));
    if (m_tip && m_tip->isVisible())
        requestTip(); // it follows
    else if (row >= 0 && !isInLabels(at))
        m_tipTimer.start();
}

void TimeGraph::mouseReleaseEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    const TimeHand::Release what = m_hand.release();
    if (what == TimeHand::Release::Nothing)
        return;
    hover(at);
    if (what == TimeHand::Release::Drag)
        return;
    const int row = rowAt(at);
    if (event->button() == Qt::LeftButton && !m_hand.isSpaceDown()) {
        if (row >= 0 && m_rows[row].ref.isValid())
            m_axis.window().setRow(m_rows[row].ref);
        m_axis.window().setCursor(eventNear(row, at));
    } else if (event->button() == Qt::RightButton) {
        emit contextMenuRequested(event->globalPosition().toPoint(), row >= 0 ? m_rows[row].ref : TrackRef(), timeAt(at));
    }
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
    m_axis.window().setRow(m_rows[row].ref);
    m_axis.window().setCursor(timeAt(at));
    zoomToState();
}

bool TimeGraph::handleKey(QKeyEvent* event)
{
    const bool withControl = event->modifiers() & Qt::ControlModifier;
    if (withControl) {
        if (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)
            return false;
        emit eventStepRequested(event->key() == Qt::Key_Right);
        return true;
    }
    if (event->modifiers() & (Qt::AltModifier | Qt::MetaModifier))
        return false;
    switch (event->key()) {
    case Qt::Key_Left: previousState(); return true;
    case Qt::Key_Right: nextState(); return true;
    case Qt::Key_Up: previousRow(); return true;
    case Qt::Key_Down: nextRow(); return true;
    case Qt::Key_PageUp: pageUp(); return true;
    case Qt::Key_PageDown: pageDown(); return true;
    case Qt::Key_Period: followArrow(true); return true;
    case Qt::Key_Comma: followArrow(false); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: zoomToState(); return true;
    default: return m_hand.pressKey(*event);
    }
}

void TimeGraph::keyPressEvent(QKeyEvent* event)
{
    if (handleKey(event)) {
        m_showsFocus = m_showsFocus || event->key() == Qt::Key_Tab;
        hideTip();
        return;
    }
    QWidget::keyPressEvent(event);
}

void TimeGraph::keyReleaseEvent(QKeyEvent* event)
{
    m_hand.releaseKey(*event);
    QWidget::keyReleaseEvent(event);
}

void TimeGraph::focusInEvent(QFocusEvent* event)
{
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void TimeGraph::focusOutEvent(QFocusEvent*)
{
    m_hand.letGoOfSpace();
    update();
}

void TimeGraph::leaveEvent(QEvent*)
{
    m_tipTimer.stop();
    hideTip();
    m_axis.window().setHovered(std::nullopt);
    if (m_hoveredRow >= 0) {
        m_hoveredRow = -1;
        refreshLitRows();
    }
}

bool TimeGraph::event(QEvent* event)
{
    if (event->type() == QEvent::Show)
        requestLanes();
    return QWidget::event(event);
}

} // namespace helio
