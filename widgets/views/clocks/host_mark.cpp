#include "widgets/views/clocks/host_mark.h"

#include "widgets/theme/themes.h"

namespace helio {

void paintHostMark(QPainter& painter, QPointF topLeft, const QString& name, int host)
{
    const QColor ground = theme().category(host);
    const QRectF box(topLeft, QSizeF(HostMarkSize, HostMarkSize));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 3, 3);
    painter.setFont(fonts().at(11, 700));
    painter.setPen(theme().inkFor(ground));
    painter.drawText(box, Qt::AlignCenter, name.left(1).toUpper());
    painter.restore();
}

} // namespace helio
