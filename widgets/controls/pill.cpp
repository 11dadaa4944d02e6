#include "widgets/controls/pill.h"

#include "widgets/controls/menus.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/paint/marks.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int Height = 20;
constexpr int Margin = 10;
constexpr int End = 14; ///< Width in pixels of the chevron or cross at the end of a pill.
constexpr int LeastWidth = 64; ///< Minimum width in pixels of a shrinking pill.

} // namespace

Pill::Pill(const QString& text, QWidget* parent)
    : QAbstractButton(parent)
{
    setText(text);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        updateGeometry();
        update();
    });
    connect(this, &QAbstractButton::clicked, this, [this] {
        if (m_menu)
            m_menu->popup(mapToGlobal(QPoint(0, height() + 2)));
    });
}

void Pill::setMenu(QMenu* menu)
{
    m_menu = menu;
    updateGeometry();
}

void Pill::setMenu(std::function<void(QMenu* menu)> fill) { setMenu(makeMenu(this, std::move(fill))); }

void Pill::setRemovable(bool isRemovable)
{
    m_isRemovable = isRemovable;
    updateGeometry();
}

void Pill::setShrinking()
{
    m_isShrinking = true;
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

QSize Pill::sizeHint() const
{
    const qreal text = tabularWidth(fonts().detail(), this->text());
    return {int(std::ceil(text)) + 2 * Margin + (hasEndIcon() ? End : 0), Height};
}

QSize Pill::minimumSizeHint() const
{
    const QSize hint = sizeHint();
    return m_isShrinking ? QSize(std::min(hint.width(), LeastWidth), hint.height()) : hint;
}

bool Pill::event(QEvent* event)
{
    if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave)
        update();
    return QAbstractButton::event(event);
}

void Pill::nextCheckState()
{
    if (isCheckable())
        setChecked(!isChecked());
}

void Pill::paintEvent(QPaintEvent*)
{
    const Theme& theme = helio::theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool isLit = isDown() || isChecked() || m_isRemovable;
    painter.setPen(theme.color("line.strong"));
    painter.setBrush(isLit ? theme.color("surface.selected") : underMouse() ? theme.color("surface.hover") : QColor(Qt::transparent));
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    if (hasFocus() && isKeyboardNavigationActive())
        paintFocusRing(painter, rect(), height() / 2.0);
    qreal x = Margin;
    painter.setFont(fonts().detail());
    painter.setPen(theme.color(!isEnabled() ? "text.disabled" : isLit ? "text.primary" : "text.secondary"));
    const int room = width() - int(x) - Margin - (hasEndIcon() ? End : 0);
    const bool isCut = m_isShrinking && width() < sizeHint().width();
    drawTabularAt(painter, {x, centredBaseline(painter.font(), rect())},
                  isCut ? painter.fontMetrics().elidedText(text(), Qt::ElideRight, room) : text());
    if (hasEndIcon())
        paintGlyph(painter, QRectF(width() - Margin - 10, height() / 2.0 - 6, 12, 12), m_menu ? Glyph::ChevronDown : Glyph::Close,
                   theme.color("text.secondary"));
}

} // namespace helio
