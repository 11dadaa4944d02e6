#include "widgets/paint/focus_ring.h"
#include "widgets/paint/marks.h"
#include "widgets/style/controls.h"
#include "widgets/theme/themes.h"

#include <QFontMetrics>
#include <QPainter>

namespace helio::controls {

namespace {

constexpr int TextLeft = 8;

bool isEnabled(const QStyleOption& option) { return option.state.testFlag(QStyle::State_Enabled); }

void chevron(QPainter& painter, QPointF centre, Glyph glyph, const QStyleOption& option)
{
    paintGlyph(painter, QRectF(centre - QPointF(6.5, 6.5), QSizeF(13, 13)), glyph,
               theme().color(isEnabled(option) ? "text.secondary" : "text.disabled"));
}

} // namespace

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
        return; // The combo box's line edit draws the text.
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

} // namespace helio::controls
