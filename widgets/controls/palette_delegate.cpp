#include "widgets/controls/palette_delegate.h"

#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"

#include <QPainter>

#include <algorithm>

namespace helio {

int paintKeyCap(QPainter& painter, int right, QRect line, const QString& keys)
{
    if (keys.isEmpty())
        return right;
    const QFont font = fonts().at(10, 500);
    const int width = QFontMetrics(font).horizontalAdvance(keys) + 12;
    const QRect cap(right - width, line.center().y() - 8, width, 17);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().color("line.strong"));
    painter.setBrush(theme().color("surface.header"));
    painter.drawRoundedRect(QRectF(cap).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setFont(font);
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(cap, Qt::AlignCenter, keys);
    painter.restore();
    return cap.left() - 6;
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {200, 28}; }

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const PaletteItem* item = m_model.item(index.row());
    if (!item)
        return;
    const QRect line = option.rect;
    painter->save();
    if (option.state & QStyle::State_Selected) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme().color("surface.selected"));
        painter->drawRoundedRect(line, 4, 4);
        painter->fillRect(QRect(line.left(), line.top() + 4, 3, line.height() - 8), theme().color("accent.fill"));
    }
    const char* ink = item->isEnabled ? "text.primary" : "text.disabled";
    painter->drawPixmap(line.left() + 8, line.center().y() - 7,
                        iconPixmap(item->icon, theme().color(item->isEnabled ? "text.secondary" : "text.disabled"), 15,
                                   painter->device()->devicePixelRatioF()));
    const int right = paintKeyCap(*painter, line.right() - 8, line, item->shortcut);
    const std::vector<int>& letters = m_model.letters(index.row());
    painter->setPen(theme().color(ink));
    int x = line.left() + 32;
    for (int i = 0; i < item->text.size();) { // Paints runs of characters that have the same weight.
        const bool isTaken = std::ranges::binary_search(letters, i);
        int end = i + 1;
        while (end < item->text.size() && std::ranges::binary_search(letters, end) == isTaken)
            ++end;
        const QFont font = fonts().at(12, isTaken ? 600 : 400);
        painter->setFont(font);
        const QString run = QFontMetrics(font).elidedText(item->text.mid(i, end - i), Qt::ElideRight, std::max(0, right - x));
        painter->drawText(QRect(x, line.top(), right - x, line.height()), Qt::AlignVCenter | Qt::AlignLeft, run);
        x += QFontMetrics(font).horizontalAdvance(item->text.mid(i, end - i));
        i = end;
    }
    painter->setFont(fonts().small());
    painter->setPen(theme().color("text.hint"));
    if (x + 12 < right)
        painter->drawText(QRect(x + 12, line.top(), right - x - 12, line.height()), Qt::AlignVCenter | Qt::AlignLeft, item->group);
    painter->restore();
}

} // namespace helio
