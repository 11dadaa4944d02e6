#include "widgets/paint/marks.h"

#include "widgets/paint/text.h"

#include <QPainterPath>

#include <cmath>

namespace helio {

void paintHatch(QPainter& painter, const QRectF& rect, const QColor& color, qreal step, qreal stroke)
{
    if (rect.isEmpty())
        return;
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, stroke));
    const qreal first = std::floor((rect.left() + rect.top()) / step) * step;
    for (qreal sum = first; sum < rect.right() + rect.bottom() + step; sum += step)
        painter.drawLine(QPointF(sum - rect.top() + 1, rect.top() - 1), QPointF(sum - rect.bottom() - 1, rect.bottom() + 1));
    painter.restore();
}

namespace {

QPainterPath pathOf(Glyph glyph)
{
    QPainterPath path;
    const auto line = [&](std::initializer_list<QPointF> points) {
        path.moveTo(*points.begin());
        for (const QPointF& p : points)
            path.lineTo(p);
    };
    switch (glyph) {
    case Glyph::ChevronDown: line({{4, 6.2}, {8, 10.2}, {12, 6.2}}); break;
    case Glyph::ChevronRight: line({{6.2, 4}, {10.2, 8}, {6.2, 12}}); break;
    case Glyph::Filter: line({{2.5, 3}, {13.5, 3}, {9.5, 8}, {9.5, 12.2}, {6.5, 13.4}, {6.5, 8}, {2.5, 3}}); break;
    case Glyph::Pin:
        line({{5, 2.5}, {11, 2.5}});
        line({{6, 2.5}, {6, 7}, {4, 9.5}, {12, 9.5}, {10, 7}, {10, 2.5}});
        line({{8, 9.5}, {8, 14}});
        break;
    case Glyph::More:
        for (const qreal x : {3.2, 8.0, 12.8})
            path.addEllipse(QPointF(x, 8), 0.5, 0.5);
        break;
    case Glyph::Close:
        line({{4, 4}, {12, 12}});
        line({{12, 4}, {4, 12}});
        break;
    case Glyph::Check: line({{3.4, 8.4}, {6.6, 11.6}, {12.6, 4.8}}); break;
    case Glyph::Eye:
        path.moveTo(1.5, 8);
        path.quadTo(8, 1.5, 14.5, 8);
        path.quadTo(8, 14.5, 1.5, 8);
        path.addEllipse(QPointF(8, 8), 1.8, 1.8);
        break;
    case Glyph::List:
        for (const qreal y : {4.0, 8.0, 12.0})
            line({{2.5, y}, {13.5 - (y - 4) / 2, y}});
        break;
    case Glyph::Magnifier:
        path.addEllipse(QPointF(7, 7), 4.2, 4.2);
        line({{10.2, 10.2}, {13.5, 13.5}});
        break;
    }
    return path;
}

} // namespace

void paintGlyph(QPainter& painter, const QRectF& rect, Glyph glyph, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.topLeft());
    painter.scale(rect.width() / 16, rect.height() / 16);
    painter.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(pathOf(glyph));
    painter.restore();
}

QIcon glyphIcon(Glyph glyph, const QColor& color, const QColor& disabled)
{
    QIcon icon;
    for (const int scale : {1, 2, 3}) {
        for (const auto mode : {QIcon::Normal, QIcon::Disabled}) {
            QPixmap pixmap(16 * scale, 16 * scale);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            paintGlyph(painter, QRectF(0, 0, 16 * scale, 16 * scale), glyph, mode == QIcon::Normal ? color : disabled);
            painter.end();
            pixmap.setDevicePixelRatio(scale);
            icon.addPixmap(pixmap, mode);
        }
    }
    return icon;
}

void paintTriangle(QPainter& painter, QPointF tip, qreal width, qreal height, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{tip, tip + QPointF(-width / 2, -height), tip + QPointF(width / 2, -height)});
    painter.restore();
}

void paintRankDisc(QPainter& painter, const QRectF& rect, int rank, const QColor& color, const QColor& ink)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(rect);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(ink);
    drawTabular(painter, rect, Qt::AlignHCenter, QString::number(rank));
}

} // namespace helio
