#include "widgets/timeline/graph/arrows/arrow_painter.h"

#include "widgets/paint/marks.h"

#include <QLinearGradient>

#include <cmath>

namespace helio {

namespace {

constexpr qreal Fade = 24;
constexpr double FanLength = 22;
constexpr double CapHeight = 6;
/// Minimum error bound of a message's time, in pixels, for which two lines mark the earliest and the latest possible time.
constexpr double LeastTicked = 3;
constexpr double LitWidth = 1.5;
constexpr double UnlitOpacity = 0.26;

struct ArrowStyle {
    QColor color;
    qreal width = 1;
    Qt::PenStyle line = Qt::SolidLine;
    bool isOpen = false;
};

ArrowStyle styleOf(const ArrowLine& arrow, const Theme& theme, const Timeline* timeline)
{
    if (arrow.isFollowed || !timeline)
        return {theme.color("arrow.followed"), 1.6, Qt::SolidLine, false};
    const LinkKindInfo& kind = kindOf(*timeline, arrow.arrow);
    constexpr Qt::PenStyle Lines[] = {Qt::SolidLine, Qt::CustomDashLine, Qt::DotLine};
    const Qt::PenStyle line = arrow.order == LinkOrder::Forward ? Lines[std::size_t(kind.line)] : Qt::CustomDashLine;
    QColor color = arrow.order == LinkOrder::Impossible ? theme.color("severity.error") : theme.colorOf(kind);
    if (arrow.light == ArrowLine::Light::Out)
        color.setAlphaF(float(UnlitOpacity));
    const qreal width = arrow.light == ArrowLine::Light::In ? std::max(LitWidth, kind.width / 2.0) : kind.width / 2.0;
    return {color, width, line, kind.hasOpenHead};
}

/// Returns a brush that fades to transparent where the arrow leaves the area, or towards an end without a row in this panel.
QBrush fading(const ArrowLine& arrow, const QRectF& area, const QColor& color)
{
    if (arrow.isStub || arrow.isOutgoingStub) { // Only one end has a row in this panel.
        const QPointF there = arrow.isStub ? arrow.from : arrow.to;
        QLinearGradient gradient(there + area.topLeft(), (arrow.isStub ? arrow.to : arrow.from) + area.topLeft());
        gradient.setColorAt(0, QColor(color.red(), color.green(), color.blue(), 0));
        gradient.setColorAt(0.6, color);
        return gradient;
    }
    const qreal top = std::min(arrow.from.y(), arrow.to.y());
    const qreal bottom = std::max(arrow.from.y(), arrow.to.y());
    if (top >= 0 && bottom <= area.height())
        return color;
    QColor clear = color;
    clear.setAlpha(0);
    QLinearGradient gradient(0, area.top(), 0, area.bottom());
    const qreal share = std::min(0.5, Fade / std::max(1.0, area.height()));
    gradient.setColorAt(0, top < 0 ? clear : color);
    gradient.setColorAt(share, color);
    gradient.setColorAt(1 - share, color);
    gradient.setColorAt(1, bottom > area.height() ? clear : color);
    return gradient;
}

/// Paints the error bound of an arrow's head: a triangle that widens from the arrow's line to its head, and at the head a cap as wide as
/// the error bound. Lines mark the ends of the cap if they are far enough apart.
void paintFan(QPainter& painter, const ArrowLine& arrow, const QRectF& area, const Theme& theme)
{
    const QPointF to = arrow.to + area.topLeft();
    const QPointF back = arrow.from - arrow.to;
    const double length = std::hypot(back.x(), back.y());
    const QPointF tail = to + (length > FanLength ? back * (FanLength / length) : back);
    const double left = std::max(to.x() - arrow.spread, area.left() - FanLength);
    const double right = std::min(to.x() + arrow.spread, area.right() + FanLength);
    const QRectF cap(left, to.y() - CapHeight / 2, right - left, CapHeight);
    const double edge = tail.y() < to.y() ? cap.top() : cap.bottom();
    const QColor color = theme.color("mark.uncertainty");
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (std::abs(tail.y() - to.y()) > CapHeight / 2)
        painter.drawPolygon(QPolygonF{tail, QPointF(left, edge), QPointF(right, edge)});
    painter.fillRect(cap, color);
    if (arrow.spread < LeastTicked)
        return;
    for (const double x : {to.x() - arrow.spread, to.x() + arrow.spread})
        painter.fillRect(QRectF(x - 0.5, cap.top(), 1, cap.height()), theme.color("mark.unsynced"));
}

void paintArrow(QPainter& painter, const ArrowLine& arrow, const QRectF& area, const ArrowStyle& style)
{
    const QPointF from = arrow.from + area.topLeft();
    const QPointF to = arrow.to + area.topLeft();
    QPen pen(fading(arrow, area, style.color), style.width, style.line);
    if (style.line == Qt::CustomDashLine)
        pen.setDashPattern({3, 2});
    painter.setPen(pen);
    const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
    const QPointF along(std::cos(angle), std::sin(angle));
    const QPointF across(-along.y(), along.x());
    const QPointF neck = to - along * 6;
    painter.drawLine(from, style.isOpen ? to : neck);
    painter.setPen(style.isOpen ? QPen(style.color, style.width) : Qt::NoPen);
    painter.setBrush(style.isOpen ? QBrush(Qt::NoBrush) : QBrush(style.color));
    const QPolygonF head{neck + across * 3.5, to, neck - across * 3.5};
    style.isOpen ? painter.drawPolyline(head) : painter.drawPolygon(head);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.color);
    if (!arrow.isStub)
        painter.drawEllipse(from, 2, 2);
}

} // namespace

void paintArrows(QPainter& painter, const ArrowLayout& layout, const QRect& area, const Theme& theme, const Timeline* timeline)
{
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor mark = theme.color("arrow.sched");
    const QRectF seen = painter.clipBoundingRect().translated(-area.topLeft()).adjusted(-8, -8, 8, 8);
    for (const ArrowMark& it : layout.marks) {
        if (seen.contains(it.tip))
            paintTriangle(painter, it.tip + area.topLeft(), 5, 4, mark);
    }
    for (const ArrowLine& it : layout.lines) {
        const QRectF box = QRectF(it.from, it.to).normalized().adjusted(-it.spread, 0, 1 + it.spread, 1);
        if (!box.intersects(seen))
            continue;
        if (it.spread > 0)
            paintFan(painter, it, area, theme);
        paintArrow(painter, it, area, styleOf(it, theme, timeline));
    }
    painter.restore();
}

} // namespace helio
