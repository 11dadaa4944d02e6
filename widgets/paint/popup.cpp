#include "widgets/paint/popup.h"

#include "widgets/theme/themes.h"

namespace helio {

namespace {

constexpr qreal Radius = 6;

} // namespace

void paintPopup(QPainter& painter, const QRectF& card)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().color("line.strong"));
    painter.setBrush(theme().color("surface.raised"));
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), Radius, Radius);
    painter.restore();
}

void paintPopupShadow(QPainter& painter, const QRectF& card)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QColor black(0, 0, 0);
    black.setAlphaF(float((theme().isDark() ? .55 : .22) / PopupShadow));
    painter.setBrush(black);
    for (int i = PopupShadow; i > 0; --i)
        painter.drawRoundedRect(card.adjusted(-i + 1, -i + 6, i - 1, i - 1), Radius + i / 2.0, Radius + i / 2.0);
    painter.restore();
}

} // namespace helio
