#include "widgets/timeline/graph/switch_chip.h"

#include "widgets/theme/themes.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace helio {

namespace {

constexpr int Padding = 9;

} // namespace

SwitchChip::SwitchChip(const QString& text, QWidget* parent)
    : QAbstractButton(parent)
{
    setText(text);
    setAccessibleName(text);
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::ArrowCursor);
    setAttribute(Qt::WA_Hover);
}

QSize SwitchChip::sizeHint() const
{
    return {int(std::ceil(QFontMetricsF(fonts().at(10.5)).horizontalAdvance(text()))) + 2 * Padding, Height};
}

void SwitchChip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = helio::theme();
    if (isChecked() || underMouse() || hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(theme.color(hasFocus() ? "accent.line" : isChecked() ? "line.strong" : "line.subtle"));
        painter.setBrush(theme.color(isChecked() ? "surface.selected" : "surface.hover"));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Height / 2.0, Height / 2.0);
    }
    painter.setFont(fonts().at(10.5, isChecked() ? 500 : 400));
    painter.setPen(theme.color(isChecked() ? "text.primary" : "text.secondary"));
    painter.drawText(rect(), Qt::AlignCenter, text());
}

} // namespace helio
