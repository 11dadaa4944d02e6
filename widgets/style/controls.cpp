#include "widgets/style/controls.h"

#include "widgets/paint/focus_ring.h"
#include "widgets/paint/marks.h"
#include "widgets/paint/popup.h"
#include "widgets/style/compositing.h"
#include "widgets/theme/themes.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace helio::controls {

namespace {

constexpr int Height = 24;
constexpr int Padding = 10;
constexpr int IconSize = 13;
constexpr int BehindIcon = 27;
constexpr int MenuEnd = 16;

bool has(const QStyleOption& option, QStyle::StateFlag flag) { return option.state.testFlag(flag); }

bool isPrimary(const QStyleOptionButton& option) { return option.features.testFlag(QStyleOptionButton::DefaultButton); }

const char* inkOf(const QStyleOptionButton& option)
{
    return !has(option, QStyle::State_Enabled) ? "text.disabled" : isPrimary(option) ? "accent.ink" : "text.primary";
}

/// Theme roles of a button's background and edge.
struct Look {
    const char* ground;
    const char* edge;
};

Look lookOf(const QStyleOptionButton& option)
{
    if (!has(option, QStyle::State_Enabled))
        return {"surface.header", "line.subtle"};
    const bool isOver = has(option, QStyle::State_MouseOver);
    if (isPrimary(option))
        return {"accent.fill", isOver ? "accent.line" : "accent.fill"};
    if (has(option, QStyle::State_Sunken) || has(option, QStyle::State_On))
        return {"surface.selected", "line.strong"};
    return {isOver ? "surface.hover" : "surface.header", "line.strong"};
}

/// Draws an icon in the colour of the button's text, because icons have a single colour.
void drawTinted(QPainter& painter, const QRect& place, const QIcon& icon, const QColor& color)
{
    QPixmap pixels = icon.pixmap(place.size(), painter.device()->devicePixelRatioF());
    if (pixels.isNull())
        return;
    QPainter tint(&pixels);
    tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
    tint.fillRect(QRect(QPoint(), place.size()), color);
    tint.end();
    painter.drawPixmap(place.topLeft(), pixels);
}

void drawBox(QPainter& painter, const QRectF& box, const QStyleOption& option, bool isOn)
{
    const bool isEnabled = has(option, QStyle::State_Enabled);
    painter.setPen(theme().color(isEnabled ? has(option, QStyle::State_MouseOver) ? "text.secondary" : "text.hint" : "line.strong"));
    painter.setBrush(theme().color(isOn && isEnabled ? "surface.selected" : "surface.input"));
    painter.drawRoundedRect(box, 3, 3);
}

constexpr int TextLeft = 8;

bool isEnabled(const QStyleOption& option) { return option.state.testFlag(QStyle::State_Enabled); }

void chevron(QPainter& painter, QPointF centre, Glyph glyph, const QStyleOption& option)
{
    paintGlyph(painter, QRectF(centre - QPointF(6.5, 6.5), QSizeF(13, 13)), glyph,
               theme().color(isEnabled(option) ? "text.secondary" : "text.disabled"));
}

constexpr int ItemHeight = 26;
constexpr int TitleHeight = 24;
constexpr int LineHeight = 9;
constexpr int ItemIconSize = 14;
constexpr int Left = 12;
constexpr int BehindItemIcon = 36;
constexpr int Right = 14;
constexpr int Gap = 24; ///< Minimum distance in pixels between text and shortcut.

/// Returns the left edge of the items' texts in pixels: after icons and check marks if the menu has any.
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

/// Draws the icon of an item, the tick of an exclusive choice, or the box of a switch.
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

constexpr int TabHeight = 28;
constexpr int TabPadding = 12;
constexpr int Arrow = 11;
constexpr int LeastHandle = 24;

bool isSelected(const QStyleOptionTab& option) { return option.state.testFlag(QStyle::State_Selected); }

} // namespace

int scaled(qreal length) { return qRound(length * fonts().scale()); }

void drawButton(QPainter& painter, const QStyleOptionButton& option)
{
    const auto [ground, edge] = lookOf(option);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(option.features.testFlag(QStyleOptionButton::Flat) ? Qt::NoPen : QPen(theme().color(edge)));
    painter.setBrush(theme().color(ground));
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.restore();
    if (has(option, QStyle::State_HasFocus) && isKeyboardNavigationActive())
        paintFocusRing(painter, option.rect, 4, isPrimary(option) ? "accent.ink" : "accent.line");
}

void drawButtonText(QPainter& painter, const QStyleOptionButton& option)
{
    painter.save();
    const bool isEnabled = has(option, QStyle::State_Enabled);
    const QRect inner = option.rect.adjusted(scaled(Padding), 0, -scaled(Padding), 0);
    const bool hasIcon = !option.icon.isNull();
    const bool hasMenu = option.features.testFlag(QStyleOptionButton::HasMenu);
    const int text = option.fontMetrics.size(Qt::TextShowMnemonic, option.text).width();
    const int before = hasIcon ? scaled(BehindIcon - Padding) : 0;
    int x = inner.left() + std::max(0, (inner.width() - (hasMenu ? MenuEnd : 0) - before - text) / 2);
    if (hasIcon) {
        const int size = scaled(IconSize);
        const QRect place(x, option.rect.center().y() - size / 2, size, size);
        const char* role = !isEnabled ? "text.disabled" : isPrimary(option) ? "accent.ink" : "text.secondary";
        drawTinted(painter, place, option.icon, theme().color(role));
        x += before;
    }
    painter.setPen(theme().color(inkOf(option)));
    painter.drawText(QRect(x, option.rect.top(), inner.right() - x + 1, option.rect.height()),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic, option.text);
    if (hasMenu)
        paintGlyph(painter, QRectF(inner.right() - 10, option.rect.center().y() - 6, 13, 13), Glyph::ChevronDown,
                   theme().color("text.secondary"));
    painter.restore();
}

QSize buttonSize(const QStyleOptionButton& option)
{
    const int before = option.icon.isNull() ? Padding : BehindIcon;
    const int menu = option.features.testFlag(QStyleOptionButton::HasMenu) ? MenuEnd : 0;
    const int text = option.fontMetrics.size(Qt::TextShowMnemonic, option.text).width();
    return {scaled(before + Padding + menu) + text + 2, scaled(Height)};
}

void drawToolBackground(QPainter& painter, const QStyleOption& option)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const bool isEnabled = has(option, QStyle::State_Enabled);
    if (isEnabled && (has(option, QStyle::State_Sunken) || has(option, QStyle::State_On)))
        painter.setBrush(theme().color("surface.selected"));
    else if (isEnabled && has(option, QStyle::State_MouseOver))
        painter.setBrush(theme().color("surface.hover"));
    painter.drawRoundedRect(option.rect, 4, 4);
    painter.restore();
    if (has(option, QStyle::State_HasFocus) && isKeyboardNavigationActive())
        paintFocusRing(painter, option.rect, 4);
}

void drawCheckBox(QPainter& painter, const QStyleOption& option)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isPartly = has(option, QStyle::State_NoChange);
    const bool isOn = has(option, QStyle::State_On);
    const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    drawBox(painter, box, option, isOn || isPartly);
    const QColor ink = theme().color(has(option, QStyle::State_Enabled) ? "text.primary" : "text.disabled");
    if (isOn)
        paintGlyph(painter, box, Glyph::Check, ink);
    else if (isPartly)
        painter.fillRect(QRectF(box.center() - QPointF(3, 0.75), QSizeF(6, 1.5)), ink);
    painter.restore();
}

void drawRadioButton(QPainter& painter, const QStyleOption& option)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isEnabled = has(option, QStyle::State_Enabled);
    const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(theme().color(isEnabled ? "text.hint" : "line.strong"));
    painter.setBrush(theme().color("surface.input"));
    painter.drawEllipse(box);
    if (has(option, QStyle::State_On)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color(isEnabled ? "text.primary" : "text.disabled"));
        painter.drawEllipse(box.center(), box.width() / 4, box.height() / 4);
    }
    painter.restore();
}

void drawField(QPainter& painter, const QRect& rect, bool isEnabled, bool hasFocus)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().color(isEnabled ? "line.strong" : "line.subtle"));
    painter.setBrush(theme().color("surface.input"));
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.restore();
    if (hasFocus)
        paintFocusRing(painter, rect, 4);
}

void drawCombo(QPainter& painter, const QStyleOptionComboBox& option)
{
    const bool isOpen = option.state.testFlag(QStyle::State_On) || option.state.testFlag(QStyle::State_Sunken);
    const bool isOver = option.state.testFlag(QStyle::State_MouseOver);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().color(isEnabled(option) ? "line.strong" : "line.subtle"));
    painter.setBrush(theme().color(option.editable                   ? "surface.input"
                                       : isOpen && isEnabled(option) ? "surface.selected"
                                       : isOver && isEnabled(option) ? "surface.hover"
                                                                     : "surface.header"));
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.restore();
    chevron(painter, QPointF(option.rect.right() - FieldEnd / 2.0, option.rect.center().y() + 0.5), Glyph::ChevronDown, option);
    if (option.state.testFlag(QStyle::State_HasFocus) && (option.editable || isKeyboardNavigationActive()))
        paintFocusRing(painter, option.rect, 4);
}

void drawComboText(QPainter& painter, const QStyleOptionComboBox& option)
{
    if (option.editable)
        return; // Nothing to draw: the combo box has a line edit, which draws the text.
    QRect text = option.rect.adjusted(TextLeft, 0, -FieldEnd, 0);
    painter.save();
    if (!option.currentIcon.isNull()) {
        const QRect icon(text.left(), text.center().y() - option.iconSize.height() / 2, option.iconSize.width(), option.iconSize.height());
        option.currentIcon.paint(&painter, icon, Qt::AlignCenter, isEnabled(option) ? QIcon::Normal : QIcon::Disabled);
        text.setLeft(icon.right() + 6);
    }
    painter.setPen(theme().color(isEnabled(option) ? "text.primary" : "text.disabled"));
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                     option.fontMetrics.elidedText(option.currentText, Qt::ElideRight, text.width()));
    painter.restore();
}

void drawSpinBox(QPainter& painter, const QStyleOptionSpinBox& option)
{
    drawField(painter, option.rect, isEnabled(option), option.state.testFlag(QStyle::State_HasFocus));
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    const qreal x = option.rect.right() - FieldEnd / 2.0 + 2;
    const qreal quarter = option.rect.height() / 4.0;
    painter.save();
    painter.translate(x, option.rect.top() + quarter + 1);
    painter.rotate(180);
    chevron(painter, {0, 0}, Glyph::ChevronDown, option);
    painter.restore();
    chevron(painter, QPointF(x, option.rect.bottom() - quarter), Glyph::ChevronDown, option);
}

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

void drawTab(QPainter& painter, const QStyleOptionTab& option)
{
    const bool isOver = option.state.testFlag(QStyle::State_MouseOver);
    const QRect& tab = option.rect;
    const QColor line = theme().color("line.subtle");
    painter.fillRect(tab, theme().color(isSelected(option) ? "surface.panel" : isOver ? "surface.hover" : "surface.window"));
    if (isSelected(option)) {
        painter.fillRect(QRect(tab.left(), tab.top(), 1, tab.height()), line);
        painter.fillRect(QRect(tab.right(), tab.top(), 1, tab.height()), line);
        painter.fillRect(QRect(tab.left(), tab.top(), tab.width(), 2), theme().color("accent.line"));
    } else {
        painter.fillRect(QRect(tab.left(), tab.bottom(), tab.width(), 1), line);
    }
    if (option.state.testFlag(QStyle::State_HasFocus) && isKeyboardNavigationActive())
        paintFocusRing(painter, option.rect.adjusted(2, 4, -2, -2), 4);
}

void drawTabText(QPainter& painter, const QStyleOptionTab& option)
{
    painter.save();
    painter.setFont(isSelected(option) ? fonts().group() : fonts().body());
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    painter.setPen(theme().color(!isEnabled ? "text.disabled" : isSelected(option) ? "text.primary" : "text.secondary"));
    painter.drawText(option.rect.adjusted(0, 2, 0, 0), Qt::AlignCenter | Qt::TextShowMnemonic, option.text);
    painter.restore();
}

QSize tabSize(const QStyleOptionTab& option)
{
    // The font is that of a selected tab, so that other tabs do not move when a tab is selected.
    return {QFontMetrics(fonts().group()).size(Qt::TextShowMnemonic, option.text).width() + scaled(2 * TabPadding), scaled(TabHeight)};
}

void drawHeaderBackground(QPainter& painter, const QStyleOptionHeader& option)
{
    painter.fillRect(option.rect, theme().color("surface.panel"));
    if (option.orientation == Qt::Horizontal)
        painter.fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), theme().color("line.subtle"));
}

QSize headerSectionSize(const QStyleOptionHeader& option, const QSize& least)
{
    const int arrow = option.sortIndicator != QStyleOptionHeader::None ? Arrow + 3 : 0;
    const int width = option.fontMetrics.horizontalAdvance(option.text) + 2 * TitlePadding + arrow + 1;
    return {std::max(least.width(), width), least.height()};
}

void drawHeaderSection(QPainter& painter, const QStyleOptionHeader& option)
{
    const bool isSorted = option.sortIndicator != QStyleOptionHeader::None;
    const bool isRight = option.textAlignment.testFlag(Qt::AlignRight);
    QRect text = option.rect.adjusted(TitlePadding, 0, -TitlePadding, 0);
    if (isSorted && isRight)
        text.setLeft(text.left() + Arrow + 3);
    if (isSorted && !isRight)
        text.setRight(text.right() - Arrow - 3);
    const QString shown = option.fontMetrics.elidedText(option.text, Qt::ElideRight, text.width());
    painter.save();
    painter.setPen(theme().color(isSorted ? "text.primary" : "text.hint"));
    painter.drawText(text, option.textAlignment | Qt::AlignVCenter, shown);
    if (isSorted) {
        const int width = option.fontMetrics.horizontalAdvance(shown);
        const qreal x = isRight ? text.right() - width - Arrow - 3 : text.left() + width + 4;
        painter.translate(x + Arrow / 2.0, option.rect.center().y() + 0.5);
        // QHeaderView uses SortUp for descending order.
        painter.rotate(option.sortIndicator == QStyleOptionHeader::SortUp ? 0 : 180);
        paintGlyph(painter, QRectF(-Arrow / 2.0, -Arrow / 2.0, Arrow, Arrow), Glyph::ChevronDown, theme().color("text.primary"));
    }
    painter.restore();
}

void drawBranch(QPainter& painter, const QStyleOption& option)
{
    if (has(option, QStyle::State_Children))
        chevron(painter, QRectF(option.rect).center(), has(option, QStyle::State_Open) ? Glyph::ChevronDown : Glyph::ChevronRight, option);
}

QRect scrollHandle(const QStyleOptionSlider& option)
{
    const bool isUpright = option.orientation == Qt::Vertical;
    const int room = isUpright ? option.rect.height() : option.rect.width();
    const qint64 range = qint64(option.maximum) - option.minimum;
    const qint64 wish = range > 0 ? qint64(option.pageStep) * room / std::max<qint64>(1, range + option.pageStep) : room;
    const int length = int(std::clamp<qint64>(wish, std::min(LeastHandle, room), room));
    const int at = QStyle::sliderPositionFromValue(option.minimum, option.maximum, option.sliderPosition, room - length, option.upsideDown);
    return isUpright ? QRect(option.rect.left(), option.rect.top() + at, option.rect.width(), length)
                     : QRect(option.rect.left() + at, option.rect.top(), length, option.rect.height());
}

void drawScrollBar(QPainter& painter, const QStyleOptionSlider& option)
{
    if (option.maximum <= option.minimum)
        return;
    const bool isLit = option.state.testFlag(QStyle::State_MouseOver) || option.state.testFlag(QStyle::State_Sunken);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(isLit ? "text.hint" : "line.strong"));
    painter.drawRoundedRect(QRectF(scrollHandle(option)).adjusted(2, 2, -2, -2), 3, 3);
    painter.restore();
}

void drawSplitter(QPainter& painter, const QStyleOption& option)
{
    const bool isOver = option.state.testFlag(QStyle::State_MouseOver) || option.state.testFlag(QStyle::State_Sunken);
    painter.fillRect(option.rect, theme().color(isOver ? "line.strong" : "surface.window"));
}

} // namespace helio::controls
