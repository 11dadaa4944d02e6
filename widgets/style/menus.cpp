#include "widgets/paint/marks.h"
#include "widgets/paint/popup.h"
#include "widgets/style/compositing.h"
#include "widgets/style/controls.h"
#include "widgets/theme/themes.h"

#include <QPainter>

namespace helio::controls {

namespace {

constexpr int ItemHeight = 26;
constexpr int TitleHeight = 24;
constexpr int LineHeight = 9;
constexpr int ItemIconSize = 14;
constexpr int Left = 12;
constexpr int BehindItemIcon = 36;
constexpr int Right = 14;
constexpr int Gap = 24; ///< Least distance between text and shortcut.

/// Left edge of the texts; after the icons and ticks, if the menu has any.
int textLeft(const QStyleOptionMenuItem& option)
{
    return scaled(option.maxIconWidth > 0 || option.menuHasCheckableItems ? BehindItemIcon : Left);
}

QFont titleFont() { return fonts().at(10.5, 600); }

bool isTitle(const QStyleOptionMenuItem& option)
{
    return option.menuItemType == QStyleOptionMenuItem::Separator && !option.text.isEmpty();
}

void drawSeparator(QPainter& painter, const QStyleOptionMenuItem& option)
{
    if (!isTitle(option))
        return painter.fillRect(option.rect.adjusted(10, LineHeight / 2, -10, LineHeight / 2 + 1 - option.rect.height()),
                                theme().color("line.subtle"));
    painter.setFont(titleFont());
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(option.rect.adjusted(textLeft(option), 2, -scaled(Right), 0), Qt::AlignVCenter | Qt::AlignLeft, option.text);
}

/// Draws the item's icon, the tick of an exclusive choice, or the box of a switch.
void drawMark(QPainter& painter, const QStyleOptionMenuItem& option, bool isEnabled)
{
    const int size = scaled(ItemIconSize);
    const QRect place(option.rect.left() + scaled(Left), option.rect.center().y() - size / 2, size, size);
    if (option.checkType == QStyleOptionMenuItem::NotCheckable) {
        option.icon.paint(&painter, place, Qt::AlignCenter, isEnabled ? QIcon::Normal : QIcon::Disabled);
    } else if (option.checkType == QStyleOptionMenuItem::NonExclusive) {
        QStyleOption box = option;
        box.rect = place;
        box.state.setFlag(QStyle::State_On, option.checked);
        box.state.setFlag(QStyle::State_MouseOver, false);
        drawCheckBox(painter, box);
    } else if (option.checked) {
        paintGlyph(painter, place, Glyph::Check, theme().color(isEnabled ? "text.primary" : "text.disabled"));
    }
}

} // namespace

QMargins popupMargins()
{
    const int room = isComposited() ? PopupShadow : 0;
    return {room, room, room, room};
}

void drawMenuBackground(QPainter& painter, const QRect& rect)
{
    painter.save();
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.fillRect(rect, isComposited() ? QColor(Qt::transparent) : theme().color("surface.raised"));
    painter.restore();
    if (isComposited())
        paintPopupShadow(painter, QRectF(rect.marginsRemoved(popupMargins())));
    paintPopup(painter, QRectF(rect.marginsRemoved(popupMargins())));
}

void drawMenuItem(QPainter& painter, const QStyleOptionMenuItem& option)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (option.menuItemType == QStyleOptionMenuItem::Separator) {
        drawSeparator(painter, option);
        return painter.restore();
    }
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    if (isEnabled && option.state.testFlag(QStyle::State_Selected)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color("surface.selected"));
        painter.drawRoundedRect(option.rect.adjusted(5, 0, -5, 0), 4, 4);
    }
    drawMark(painter, option, isEnabled);
    const auto text = option.text.section('\t', 0, 0);
    const auto keys = option.text.section('\t', 1);
    QFont font = option.font;
    if (option.menuItemType == QStyleOptionMenuItem::DefaultItem)
        font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(theme().color(isEnabled ? "text.primary" : "text.disabled"));
    const QRect line = option.rect.adjusted(textLeft(option), 0, -scaled(Right), 0);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic | Qt::TextSingleLine, text);
    painter.setFont(fonts().small());
    painter.setPen(theme().color(isEnabled ? "text.hint" : "text.disabled"));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, keys);
    if (option.menuItemType == QStyleOptionMenuItem::SubMenu)
        paintGlyph(painter, QRectF(line.right() - 11, line.center().y() - 6.5, 14, 14), Glyph::ChevronRight,
                   theme().color(isEnabled ? "text.secondary" : "text.disabled"));
    painter.restore();
}

QSize menuItemSize(const QStyleOptionMenuItem& option, QSize text)
{
    if (isTitle(option))
        return {textLeft(option) + QFontMetrics(titleFont()).horizontalAdvance(option.text) + scaled(Right), scaled(TitleHeight)};
    if (option.menuItemType == QStyleOptionMenuItem::Separator)
        return {2 * Left, LineHeight};
    const int end = option.menuItemType == QStyleOptionMenuItem::SubMenu || option.text.contains('\t') ? Gap : 0;
    return {textLeft(option) + text.width() + scaled(end + Right), scaled(ItemHeight)};
}

void drawMenuBarItem(QPainter& painter, const QStyleOptionMenuItem& option)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (option.state.testFlag(QStyle::State_Selected) && option.state.testFlag(QStyle::State_Enabled)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color("surface.selected"));
        painter.drawRoundedRect(option.rect.adjusted(0, 2, 0, -2), 4, 4);
    }
    painter.setFont(option.font);
    painter.setPen(theme().color(option.state.testFlag(QStyle::State_Enabled) ? "text.primary" : "text.disabled"));
    painter.drawText(option.rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine, option.text);
    painter.restore();
}

} // namespace helio::controls
