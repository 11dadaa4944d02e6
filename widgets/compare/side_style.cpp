#include "widgets/compare/side_style.h"

#include "widgets/theme/themes.h"

namespace helio {

void paintBadge(QPainter& painter, const QPointF& topLeft, Side side)
{
    const QRectF box(topLeft, QSizeF(BadgeSize, BadgeSize));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(sideRole(side)));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(theme().color(sideRole(side, ".ink")));
    painter.setFont(fonts().at(11, 600));
    painter.drawText(box, Qt::AlignCenter, letterOf(side));
    painter.restore();
}

} // namespace helio
