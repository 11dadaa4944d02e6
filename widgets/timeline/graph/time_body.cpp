#include "widgets/timeline/graph/time_body.h"

#include "widgets/theme/themes.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

namespace helio {

TimeBody::TimeBody(TimeAxis& axis, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_hand(axis, *this)
    , m_tips(*this)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_tips, &TipController::wanted, this, &TimeBody::requestTip);
}

TimeScale TimeBody::deviceScale() const
{
    const TimeScale scale = m_axis.scale(width());
    return {scale.window(), std::round(scale.width() * devicePixelRatioF())};
}

void TimeBody::updateMarks()
{
    const TimeMarks now = TimeMarks::of(m_axis, width());
    QRegion changed = changedColumns(m_marks, now, timeArea());
    if (m_marks.cursor != now.cursor || m_marks.selection != now.selection)
        changed += bandsOf(m_marks).region() + bandsOf(now).region();
    update(changed);
    m_marks = now;
}

void TimeBody::paintMarks(QPainter& painter)
{
    m_marks = TimeMarks::of(m_axis, width());
    const MarkBands bands = bandsOf(m_marks);
    bands.paint(painter, theme());
    m_marks.doubtful = bands.doubtful();
    paintTimeMarks(painter, m_marks, timeArea(), theme());
}

void TimeBody::paintFocus(QPainter& painter) const
{
    if (!hasFocus() || !m_showsFocus)
        return;
    painter.setPen(QPen(theme().color("accent.line"), 2));
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

void TimeBody::wheelEvent(QWheelEvent* event)
{
    m_tips.hide();
    if (!m_hand.handleWheel(*event) && !scrollBy(event->position().toPoint(), TimelineInput::scrollNotches(*event)))
        return event->ignore();
    event->accept();
}

void TimeBody::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    m_tips.hide();
    m_showsFocus = false;
    if (m_hand.press(*event))
        setCursor(m_hand.shapeAt(at));
    else if (event->button() == Qt::LeftButton)
        pressLabel(at);
    else if (event->button() == Qt::RightButton)
        emit contextMenuRequested(event->globalPosition().toPoint(), trackAt(at), m_axis.window().cursor());
}

void TimeBody::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (!m_hand.move(*event, [&](Timestamp time) { return snapped(at, time); }))
        hover(at);
}

void TimeBody::hover(QPoint at)
{
    m_hoveredAt = at;
    hoverOver(at);
    m_axis.window().setHovered(isInLabels(at) ? std::nullopt : std::optional(timeAt(at)));
    setCursor(shapeAt(at));
    if (m_tips.isShown() || !isInLabels(at))
        m_tips.follow();
}

void TimeBody::mouseReleaseEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    const TimelineInput::Release what = m_hand.release();
    if (what == TimelineInput::Release::Nothing)
        return;
    hover(at);
    if (what == TimelineInput::Release::Drag)
        return;
    if (event->button() == Qt::LeftButton && !m_hand.isSpaceDown())
        click(at);
    else if (event->button() == Qt::RightButton)
        emit contextMenuRequested(event->globalPosition().toPoint(), trackAt(at), timeAt(at));
}

bool TimeBody::handleKey(const QKeyEvent& event)
{
    if (event.modifiers() & Qt::ControlModifier) {
        if (event.key() != Qt::Key_Left && event.key() != Qt::Key_Right)
            return false;
        emit eventStepRequested(event.key() == Qt::Key_Right);
        return true;
    }
    if (event.modifiers() & (Qt::AltModifier | Qt::MetaModifier))
        return false;
    return pressKey(event) || m_hand.pressKey(event);
}

void TimeBody::keyPressEvent(QKeyEvent* event)
{
    if (!handleKey(*event))
        return QWidget::keyPressEvent(event);
    m_tips.hide();
}

void TimeBody::keyReleaseEvent(QKeyEvent* event)
{
    m_hand.releaseKey(*event);
    QWidget::keyReleaseEvent(event);
}

void TimeBody::focusInEvent(QFocusEvent* event)
{
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
    if (m_showsFocus)
        emit focusShown();
}

void TimeBody::focusOutEvent(QFocusEvent*)
{
    m_hand.releaseSpace();
    update();
}

void TimeBody::leaveEvent(QEvent*)
{
    m_tips.hide();
    m_axis.window().setHovered(std::nullopt);
    hoverOver(std::nullopt);
}

} // namespace helio
