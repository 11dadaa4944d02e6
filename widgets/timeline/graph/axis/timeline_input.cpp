#include "widgets/timeline/graph/axis/timeline_input.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

#include <cmath>

namespace helio {

namespace {

constexpr double WheelStep = 0.8; ///< Factor by which one notch of the wheel changes the duration of the visible range.
constexpr double PanStep = 0.1; ///< Fraction of the visible range by which one notch of the wheel pans.

/// Returns the number of notches by which the user turned the wheel; touch pads report fractions. While Alt is held, Qt swaps the
/// horizontal and the vertical axis; this function swaps them back.
QPointF notches(const QWheelEvent& event)
{
    const QPointF n = QPointF(event.angleDelta()) / 120;
    return event.modifiers() & Qt::AltModifier ? n.transposed() : n;
}

} // namespace

double TimelineInput::scrollNotches(const QWheelEvent& event) { return notches(event).y(); }

bool TimelineInput::handleWheel(const QWheelEvent& event)
{
    const QPointF n = notches(event);
    const auto modifiers = event.modifiers();
    if ((modifiers & Qt::ControlModifier) && (modifiers & Qt::ShiftModifier)) {
        const int density = int(m_axis.density()) + (n.y() + n.x() > 0 ? 1 : -1);
        m_axis.setDensity(Density(std::clamp(density, 0, 2)));
    } else if (modifiers & Qt::ControlModifier) {
        const QPoint at = event.position().toPoint();
        m_axis.zoomBy(std::pow(WheelStep, n.y()), isInLabels(at) ? m_axis.window().cursor() : timeAt(at));
    } else if (modifiers & Qt::ShiftModifier) {
        m_axis.panBy(-(n.y() + n.x()) * PanStep);
    } else if (std::abs(n.x()) > std::abs(n.y())) {
        m_axis.panBy(-n.x() * PanStep);
    } else {
        return false;
    }
    return true;
}

Timestamp TimelineInput::timeAt(QPoint at) const { return m_axis.scale(m_owner.width()).timeAt(at.x() - m_axis.labelWidth()); }

QRect TimelineInput::timeArea() const
{
    return {m_axis.labelWidth(), 0, std::max(0, m_owner.width() - m_axis.labelWidth()), m_owner.height()};
}

bool TimelineInput::press(const QMouseEvent& event)
{
    const QPoint at = event.position().toPoint();
    if (event.button() == Qt::LeftButton && isOnSplitter(at)) {
        m_dragsSplitter = true;
        return true;
    }
    if (isInLabels(at))
        return false;
    if (!m_drag.isActive())
        m_drag.begin(at, m_owner.width(), event.button(), m_isSpaceDown && event.button() == Qt::LeftButton);
    return true;
}

bool TimelineInput::move(const QMouseEvent& event, const std::function<std::optional<Timestamp>(Timestamp)>& snap)
{
    const QPoint at = event.position().toPoint();
    if (m_dragsSplitter) {
        m_axis.setLabelWidth(at.x());
        return true;
    }
    if (!m_drag.isActive())
        return false;
    const bool snaps = snap
        // Shift has the same effect as Alt, because many window managers use Alt to move windows.
        && event.modifiers() & (Qt::AltModifier | Qt::ShiftModifier);
    m_drag.move(at, [&](Timestamp t) { return snaps ? snap(t) : std::nullopt; });
    if (!m_drag.isPanning())
        m_axis.window().setHovered(timeAt(at));
    return true;
}

TimelineInput::Release TimelineInput::release()
{
    if (m_dragsSplitter) {
        m_dragsSplitter = false;
        return Release::Nothing;
    }
    if (!m_drag.isActive())
        return Release::Nothing;
    return m_drag.end() ? Release::Drag : Release::Click;
}

Qt::CursorShape TimelineInput::shapeAt(QPoint at) const
{
    if (m_drag.isPanning())
        return Qt::ClosedHandCursor;
    if (isOnSplitter(at))
        return Qt::SplitHCursor;
    if (isInLabels(at))
        return Qt::ArrowCursor;
    return m_isSpaceDown ? Qt::OpenHandCursor : m_drag.isOnEdge(at, m_owner.width()) ? Qt::SizeHorCursor : Qt::ArrowCursor;
}

bool TimelineInput::pressKey(const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_axis.zoomIn(); return true;
    case Qt::Key_S:
    case Qt::Key_Minus: m_axis.zoomOut(); return true;
    case Qt::Key_A: m_axis.panLeft(); return true;
    case Qt::Key_D: m_axis.panRight(); return true;
    case Qt::Key_F: m_axis.fit(); return true;
    case Qt::Key_Z: m_axis.zoomToSelection(); return true;
    case Qt::Key_Home: m_axis.toStart(); return true;
    case Qt::Key_End: m_axis.toEnd(); return true;
    case Qt::Key_Escape:
        if (m_drag.isActive())
            m_drag.cancel();
        else
            m_axis.dismiss();
        return true;
    case Qt::Key_Space:
        if (!event.isAutoRepeat())
            m_isSpaceDown = true;
        return true;
    default: return false;
    }
}

void TimelineInput::releaseKey(const QKeyEvent& event)
{
    if (event.key() == Qt::Key_Space && !event.isAutoRepeat())
        m_isSpaceDown = false;
}

} // namespace helio
