#include "widgets/paint/empty_message.h"

#include "widgets/theme/themes.h"

#include <QFontMetrics>
#include <QWidget>

#include <algorithm>

namespace helio {

namespace {

constexpr int Beside = 16; ///< Margin on either side of the text in pixels, where scroll bars may be.

} // namespace

int EmptyMessage::heightIn(int width) const
{
    constexpr int Around = 32;
    const QRect room(0, 0, std::max(200, width - 2 * Beside), QWIDGETSIZE_MAX);
    const QRect text = QFontMetrics(fonts().body()).boundingRect(room, Qt::AlignCenter | Qt::TextWordWrap, this->text());
    return isEmpty() ? 0 : text.height() + Around;
}

void EmptyMessage::paint(QPainter& painter, const QRect& area) const
{
    painter.setFont(fonts().body());
    painter.setPen(theme().color("text.secondary"));
    const bool fits = heightIn(area.width()) <= area.height();
    painter.drawText(area.adjusted(Beside, fits ? 0 : 6, -Beside, 0),
                     Qt::AlignHCenter | (fits ? Qt::AlignVCenter : Qt::AlignTop) | Qt::TextWordWrap, text());
}

} // namespace helio
