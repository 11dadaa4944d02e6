#include "widgets/paint/state_bar.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include <algorithm>

namespace helio {

namespace {

/// Returns a tile with one period of the hatch.
QPixmap hatchTile(const QColor& color, int scale)
{
    QColor faint = color;
    faint.setAlphaF(float(HatchTint));
    QImage tile(5 * scale, 5 * scale, QImage::Format_ARGB32);
    for (int y = 0; y < tile.height(); ++y)
        for (int x = 0; x < tile.width(); ++x)
            tile.setPixelColor(x, y, isOnHatchStroke(x, y, scale) ? color : faint);
    tile.setDevicePixelRatio(scale);
    return QPixmap::fromImage(tile);
}

} // namespace

void paintStateBar(QPainter& painter, const QRect& rect, const StateAppearance& look)
{
    if (rect.isEmpty())
        return;
    if (look.drawing == BarPattern::Hatched)
        painter.drawTiledPixmap(rect, hatchTile(look.color, std::max(1, qRound(painter.device()->devicePixelRatioF()))));
    else
        painter.fillRect(rect, look.color);
}

void paintSwatch(QPainter& painter, const QRectF& box, const StateAppearance& look, const QColor& ground)
{
    const qreal height = std::max(2.0, box.height() * look.height / 16);
    const bool isLine = look.drawing == BarPattern::Line || look.drawing == BarPattern::Dashed || look.drawing == BarPattern::Dotted;
    const QRectF bar(box.left(), isLine ? box.center().y() - height / 2 : box.bottom() - height, box.width(), height);
    painter.save();
    painter.setClipRect(bar);
    switch (look.drawing) {
    case BarPattern::Hatched:
        if (ground.isValid())
            painter.fillRect(bar, mixed(ground, look.color, HatchTint));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(look.color, 1.4));
        for (qreal x = bar.left() - bar.height(); x < bar.right(); x += 3)
            painter.drawLine(QPointF(x, bar.bottom()), QPointF(x + bar.height(), bar.top()));
        break;
    case BarPattern::Dashed:
    case BarPattern::Dotted:
        for (qreal x = bar.left(); x < bar.right(); x += look.drawing == BarPattern::Dashed ? 5 : 3)
            painter.fillRect(QRectF(x, bar.top(), look.drawing == BarPattern::Dashed ? 3 : 1, bar.height()), look.color);
        break;
    case BarPattern::CutCorner: {
        QPainterPath path;
        path.moveTo(bar.bottomLeft());
        path.lineTo(bar.left(), bar.top() + std::min(4.0, bar.height()));
        path.lineTo(bar.left() + 4, bar.top());
        path.lineTo(bar.topRight());
        path.lineTo(bar.bottomRight());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(path, look.color);
        break;
    }
    case BarPattern::Fence: {
        const qreal rail = std::min(2.0, bar.height());
        QColor tint = look.color;
        tint.setAlphaF(float(FenceTint));
        painter.fillRect(bar, tint);
        painter.fillRect(QRectF(bar.left(), bar.top(), bar.width(), rail), look.color);
        for (qreal x = bar.left(); x < bar.right(); x += 4)
            painter.fillRect(QRectF(x, bar.top() + rail, 2, bar.height() - rail), look.color);
        break;
    }
    default: painter.fillRect(bar, look.color);
    }
    painter.restore();
}

QPixmap swatchPixmap(const StateAppearance& look, int size, qreal ratio)
{
    QPixmap pixmap(qRound(size * ratio), qRound(size * ratio));
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintSwatch(painter, QRectF(0, 0, size, size), look);
    return pixmap;
}

} // namespace helio
