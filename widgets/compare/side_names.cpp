#include "widgets/compare/side_names.h"

#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QFontMetricsF>

#include <cmath>

namespace helio {

namespace {

constexpr int AfterBadge = 6;
constexpr int Between = 14;
constexpr int Longest = 220; ///< Maximum width of a name, in pixels.

QFont font() { return fonts().at(12, 500); }

int widthOf(const QString& name) { return std::min(Longest, int(std::ceil(QFontMetricsF(font()).horizontalAdvance(name)))); }

} // namespace

QPixmap badgePixmap(Side side, qreal ratio)
{
    QPixmap badge(QSize(BadgeSize, BadgeSize) * ratio);
    badge.setDevicePixelRatio(ratio);
    badge.fill(Qt::transparent);
    QPainter painter(&badge);
    paintBadge(painter, {0, 0}, side);
    return badge;
}

SideNameBar::SideNameBar(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void SideNameBar::setNames(const QString& a, const QString& b)
{
    m_names = {a, b};
    setAccessibleName(tr("A: %1, B: %2").arg(a, b));
    setToolTip(QStringLiteral("A: %1\nB: %2").arg(a, b));
    updateGeometry();
    update();
}

QSize SideNameBar::sizeHint() const
{
    return {2 * (BadgeSize + AfterBadge) + widthOf(m_names[0]) + Between + widthOf(m_names[1]), BadgeSize};
}

void SideNameBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(font());
    int x = 0;
    for (const Side side : Sides) {
        const QString& name = m_names[std::size_t(side)];
        paintBadge(painter, QPointF(x, (height() - BadgeSize) / 2), side);
        x += BadgeSize + AfterBadge;
        painter.setPen(theme().color("text.primary"));
        const QString text = QFontMetricsF(font()).elidedText(name, Qt::ElideMiddle, widthOf(name) + 1);
        painter.drawText(QPointF(x, centredBaseline(font(), rect())), text);
        x += widthOf(name) + Between;
    }
}

} // namespace helio
