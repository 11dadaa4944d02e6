#include "widgets/compare/flame/difference_picture.h"

#include "widgets/compare/flame/difference_ramp.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QPainter>

namespace helio {

void PictureHead::paint(QPainter& painter, int width) const
{
    constexpr int RampHeight = 17;
    constexpr int Gap = 10;
    const QRectF line(Margin, 0, width - 2 * Margin, Height);
    const QFont strong = fonts().at(12, 600);
    const QFont plain = fonts().at(11.5);
    const int ramp = steps ? paintDifferenceRamp(nullptr, {}, *steps, unit) : 0;
    painter.setFont(strong);
    painter.setPen(theme().color("text.primary"));
    drawCachedText(painter, {line.left(), centredBaseline(strong, line)}, title);
    const double after = line.left() + cachedTextWidth(strong, title) + Gap;
    painter.setFont(plain);
    painter.setPen(theme().color("text.secondary"));
    drawCachedText(painter, {after, centredBaseline(plain, line)}, elidedLabel(plain, remark, line.right() - ramp - Gap - after));
    if (steps)
        paintDifferenceRamp(&painter, QPoint(int(line.right()) - ramp, (Height - RampHeight) / 2), *steps, unit);
}

} // namespace helio
