#include "widgets/paint/focus_ring.h"
#include "widgets/paint/marks.h"
#include "widgets/style/controls.h"
#include "widgets/theme/themes.h"

#include <QPainter>

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

/// Draws an icon in the colour of the button's text: icons have one colour.
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
    if (has(option, QStyle::State_Sunken) || has(option, QStyle::State_On))
        painter.setBrush(theme().color("surface.selected"));
    else if (has(option, QStyle::State_MouseOver) && has(option, QStyle::State_Enabled))
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

} // namespace helio::controls
