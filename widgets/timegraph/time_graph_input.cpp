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
constexpr double WheelStep = 0.8; ///< What one notch leaves of the window.

/// Notches of the wheel, fractions on touch pads. Alt turns the wheel sideways in Qt.
QPointF notches(const QWheelEvent& event)
{
    const QPointF n = QPointF(event.angleDelta()) / 120;
    return event.modifiers() & Qt::AltModifier ? n.transposed() : n;
}

} // namespace

void TimeGraph::wheelEvent(QWheelEvent* event)
{
    const QPointF n = notches(*event);
    const auto modifiers = event->modifiers();
    hideTip();
    if ((modifiers & Qt::ControlModifier) && (modifiers & Qt::ShiftModifier)) {
        const int density = int(m_axis.density()) + (n.y() + n.x() > 0 ? 1 : -1);
        m_axis.setDensity(Density(std::clamp(density, 0, 2)));
    } else if (modifiers & Qt::ControlModifier) {
        const QPoint at = event->position().toPoint();
        m_axis.window().zoom(std::pow(WheelStep, n.y()), isInLabels(at) ? m_axis.window().cursor() : timeAt(at));
    } else if (modifiers & Qt::ShiftModifier) {
        m_axis.window().pan(-(n.y() + n.x()) * 0.1);
    } else if (std::abs(n.x()) > std::abs(n.y())) {
        m_axis.window().pan(-n.x() * 0.1);
    } else if (m_scroll->maximum() > 0) {
        m_scroll->setValue(m_scroll->value() - int(std::lround(n.y() * 60)));
    } else {
        event->ignore();
        return;
    }
    event->accept();
}

void TimeGraph::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    hideTip();
    m_tipTimer.stop();
    m_showsFocus = false;
    if (event->button() == Qt::LeftButton && isOnSplitter(at)) {
        m_dragsSplitter = true;
        return;
    }
    if (isInLabels(at)) {
        if (event->button() == Qt::LeftButton)
            press(at);
        else if (event->button() == Qt::RightButton)
            emit contextMenuRequested(event->globalPosition().toPoint(), rowAt(at) >= 0 ? m_rows[rowAt(at)].ref : TrackRef(),
                                      m_axis.window().cursor());
        return;
    }
    if (!m_drag.isActive())
        m_drag.begin(at, width(), event->button(), m_isSpaceDown && event->button() == Qt::LeftButton);
    if (m_drag.isPanning())
        setCursor(Qt::ClosedHandCursor);
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
    if (m_dragsSplitter) {
        m_axis.setLabelWidth(at.x());
        return;
    }
    if (m_drag.isActive()) {
        const bool snaps = event->modifiers() & (Qt::AltModifier | Qt::ShiftModifier); // Window managers keep Alt to move windows.
        m_drag.move(at, [&](Timestamp t) { return snaps ? boundaryNear(rowAt(at), t) : std::nullopt; });
        if (!m_drag.isPanning())
            m_axis.window().setHovered(timeAt(at));
        return;
    }
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
    setCursor(isOnSplitter(at)                                      ? Qt::SplitHCursor
                  : m_isSpaceDown && !isInLabels(at)                ? Qt::OpenHandCursor
                  : !isInLabels(at) && m_drag.isOnEdge(at, width()) ? Qt::SizeHorCursor
                                                                    : Qt::ArrowCursor);
    if (m_tip && m_tip->isVisible())
        requestTip(); // it follows
    else if (row >= 0 && !isInLabels(at))
        m_tipTimer.start();
}

void TimeGraph::mouseReleaseEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (m_dragsSplitter) {
        m_dragsSplitter = false;
        return;
    }
    if (!m_drag.isActive())
        return;
    const bool wasDrag = m_drag.end();
    hover(at);
    if (wasDrag)
        return;
    const int row = rowAt(at);
    if (event->button() == Qt::LeftButton && !m_isSpaceDown) {
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
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_axis.zoomIn(); return true;
    case Qt::Key_S:
    case Qt::Key_Minus: m_axis.zoomOut(); return true;
    case Qt::Key_A: m_axis.panLeft(); return true;
    case Qt::Key_D: m_axis.panRight(); return true;
    case Qt::Key_F: m_axis.fit(); return true;
    case Qt::Key_Z: m_axis.zoomToSelection(); return true;
    case Qt::Key_Left: previousState(); return true;
    case Qt::Key_Right: nextState(); return true;
    case Qt::Key_Up: previousRow(); return true;
    case Qt::Key_Down: nextRow(); return true;
    case Qt::Key_PageUp: pageUp(); return true;
    case Qt::Key_PageDown: pageDown(); return true;
    case Qt::Key_Home: m_axis.toStart(); return true;
    case Qt::Key_End: m_axis.toEnd(); return true;
    case Qt::Key_Period: followArrow(true); return true;
    case Qt::Key_Comma: followArrow(false); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: zoomToState(); return true;
    case Qt::Key_Escape:
        if (m_drag.isActive())
            m_drag.cancel();
        else
            m_axis.window().setSelection({});
        return true;
    case Qt::Key_Space:
        if (!event->isAutoRepeat())
            m_isSpaceDown = true;
        return true;
    default: return false;
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
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat())
        m_isSpaceDown = false;
    QWidget::keyReleaseEvent(event);
}

void TimeGraph::focusInEvent(QFocusEvent* event)
{
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void TimeGraph::focusOutEvent(QFocusEvent*)
{
    m_isSpaceDown = false;
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
