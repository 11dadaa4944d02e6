#include "widgets/paint/state_bar.h"

#include <QImage>
#include <QPainter>
#include <QPixmap>

namespace helio {

namespace {

/// One period of the hatch as a tile.
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

} // namespace helio
