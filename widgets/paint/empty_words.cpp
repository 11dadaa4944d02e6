#include "widgets/paint/empty_words.h"

#include "widgets/theme/themes.h"

#include <QFontMetrics>
#include <QWidget>

#include <algorithm>

namespace helio {

int EmptyWords::heightIn(int width) const
{
    constexpr int Around = 32;
    const QRect room(0, 0, std::max(200, width), QWIDGETSIZE_MAX);
    const QRect text = QFontMetrics(fonts().body()).boundingRect(room, Qt::AlignCenter | Qt::TextWordWrap, this->text());
    return isEmpty() ? 0 : text.height() + Around;
}

void EmptyWords::paint(QPainter& painter, const QRect& area) const
{
    painter.setFont(fonts().body());
    painter.setPen(theme().color("text.secondary"));
    const bool fits = heightIn(area.width()) <= area.height();
    painter.drawText(fits ? area : area.adjusted(0, 6, 0, 0),
                     Qt::AlignHCenter | (fits ? Qt::AlignVCenter : Qt::AlignTop) | Qt::TextWordWrap, text());
}

} // namespace helio
