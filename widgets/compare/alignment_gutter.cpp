#include "widgets/compare/alignment_gutter.h"

#include "widgets/compare/side_style.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/theme/themes.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double HandleWidth = 40;
constexpr double HandleHeight = 18;

} // namespace

AlignmentGutter::AlignmentGutter(AxisLink& link, TimeAxis& axisOfA, QWidget* parent)
    : QWidget(parent)
    , m_link(link)
    , m_axis(axisOfA)
{
    setFixedHeight(Height);
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Alignment of A and B"));
    setAccessibleDescription(tr("Left and Right move B; Shift+Left and Shift+Right move A"));
    setToolTip(tr("The time that is zero on both sides. Drag the A half to move A, the B half to move B."));
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&link, &AxisLink::alignmentChanged, this, repaint);
    connect(&link, &AxisLink::linkedChanged, this, repaint);
    connect(&axisOfA.window(), &TimeWindow::visibleChanged, this, repaint);
    connect(&axisOfA, &TimeAxis::labelWidthChanged, this, repaint);
    connect(&Themes::instance(), &Themes::changed, this, repaint);
}

double AlignmentGutter::zeroX() const
{
    const TimeScale scale = m_axis.scale(width() - RailWidth);
    return RailWidth + m_axis.labelWidth() + (scale.isValid() ? scale.xAt(m_link.alignment().a) : 0);
}

/// Returns the rectangle of the handle, which marks the common zero of A and B. The handle stays inside the strip, so that the user can
/// drag it even if the zero is outside the visible range.
QRectF AlignmentGutter::handle() const
{
    const double least = RailWidth + m_axis.labelWidth() + HandleWidth / 2;
    const double x = std::clamp(zeroX(), least, std::max(least, width() - HandleWidth / 2));
    return {x - HandleWidth / 2, (Height - HandleHeight) / 2.0, HandleWidth, HandleHeight};
}

void AlignmentGutter::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.window"));
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = handle();
    if (const double x = zeroX(); x >= RailWidth + m_axis.labelWidth() && x <= width()) {
        painter.setPen(QPen(theme().color("text.secondary"), 1, Qt::DashLine));
        painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    }
    QPainterPath pill;
    pill.addRoundedRect(box, box.height() / 2, box.height() / 2);
    painter.setClipPath(pill);
    painter.setFont(fonts().at(11, 600));
    for (const Side side : Sides) {
        const QRectF half(side == Side::A ? box.left() : box.center().x(), box.top(), box.width() / 2, box.height());
        painter.fillRect(half, theme().color(sideRole(side)));
        painter.setPen(theme().color(sideRole(side, ".ink")));
        painter.drawText(half, Qt::AlignCenter, letterOf(side));
    }
    if (hasFocus() && isKeyboardNavigationActive())
        paintFocusRing(painter, box, box.height() / 2, "text.primary");
}

void AlignmentGutter::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && handle().contains(event->position()))
        m_grip =
            DragState{event->position().x() < handle().center().x(), event->position().x(), m_link.alignment(), m_axis.window().visible()};
}

void AlignmentGutter::mouseMoveEvent(QMouseEvent* event)
{
    setCursor(m_grip || handle().contains(event->position()) ? Qt::SizeHorCursor : Qt::ArrowCursor);
    const TimeScale scale = m_axis.scale(width() - RailWidth);
    if (!m_grip || !scale.isValid())
        return;
    move(m_grip->isA, scale.timeAt(event->position().x()) - scale.timeAt(m_grip->x), m_grip->at, m_grip->visible);
}

void AlignmentGutter::move(bool isA, Duration by, Alignment from, TimeRange visible)
{
    // The alignment is a time of A and a time of B that are drawn at the same x position. If the user drags a side to the right, an earlier
    // time of that side moves to this position.
    (isA ? from.a : from.b) -= by;
    m_link.setAlignment(from);
    // Dragging B keeps A's visible range, although the new alignment changes the full range of both sides. Dragging A moves A's visible
    // range, so that B stays in place on the screen and A follows the pointer.
    const Duration shift = isA ? by : Duration::zero();
    m_axis.window().setVisible({visible.begin - shift, visible.end - shift});
    emit alignedByHand();
}

void AlignmentGutter::keyPressEvent(QKeyEvent* event)
{
    const TimeScale scale = m_axis.scale(width() - RailWidth);
    const bool isRight = event->key() == Qt::Key_Right;
    if ((!isRight && event->key() != Qt::Key_Left) || (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) || !scale.isValid())
        return QWidget::keyPressEvent(event);
    const Duration pixel = std::max(Duration(1), scale.timeAt(1) - scale.timeAt(0));
    move(event->modifiers().testFlag(Qt::ShiftModifier), isRight ? pixel : -pixel, m_link.alignment(), m_axis.window().visible());
}

void AlignmentGutter::mouseReleaseEvent(QMouseEvent*) { m_grip.reset(); }

} // namespace helio
