#include "widgets/controls/toggle_switch.h"

#include "widgets/paint/focus_ring.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QPainter>

#include <cmath>

namespace helio {

namespace {

constexpr QSizeF Box(26, 14);
constexpr double Knob = 10;
constexpr double Gap = 8; ///< Distance between switch and label, in pixels.

} // namespace

ToggleSwitch::ToggleSwitch(const QString& text, QWidget* parent)
    : QAbstractButton(parent)
{
    setText(text);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

QSize ToggleSwitch::sizeHint() const
{
    return {int(std::ceil(Box.width() + Gap + cachedTextWidth(fonts().detail(), text()))) + 2, int(22 * fonts().scale())};
}

QSize ToggleSwitch::minimumSizeHint() const { return {int(Box.width()) + 30, sizeHint().height()}; }

void ToggleSwitch::paintEvent(QPaintEvent*)
{
    const Theme& theme = helio::theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box(QPointF(0.5, std::round((height() - Box.height()) / 2) + 0.5), Box - QSizeF(1, 1));
    painter.setPen(isChecked() ? Qt::NoPen : QPen(theme.color("line.strong")));
    painter.setBrush(theme.color(!isChecked() ? "surface.input" : isEnabled() ? "text.secondary" : "text.disabled"));
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(isChecked() ? "surface.panel" : isEnabled() ? "text.hint" : "text.disabled"));
    const double x = isChecked() ? box.right() - Knob / 2 - 1.5 : box.left() + Knob / 2 + 1.5;
    painter.drawEllipse(QPointF(x, box.center().y()), Knob / 2, Knob / 2);
    if (hasFocus() && isKeyboardNavigationActive())
        paintFocusRing(painter, box.adjusted(-0.5, -0.5, 0.5, 0.5), box.height() / 2);
    painter.setFont(fonts().detail());
    painter.setPen(theme.color(isEnabled() ? "text.primary" : "text.disabled"));
    const double left = Box.width() + Gap;
    painter.drawText(QPointF(left, centredBaseline(painter.font(), rect())), elidedLabel(painter.font(), text(), width() - left));
}

} // namespace helio
