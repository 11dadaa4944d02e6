#include "widgets/paint/focus_ring.h"
#include "widgets/paint/marks.h"
#include "widgets/style/controls.h"
#include "widgets/theme/themes.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace helio::controls {

namespace {

constexpr int TabHeight = 28;
constexpr int TabPadding = 12;
constexpr int TitlePadding = 8;
constexpr int Arrow = 11;
constexpr int LeastHandle = 24;

bool isSelected(const QStyleOptionTab& option) { return option.state.testFlag(QStyle::State_Selected); }

} // namespace

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
    // Width of the selected tab, so that selecting a tab does not move the other tabs.
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
