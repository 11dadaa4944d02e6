#include "widgets/paint/host_badge.h"

#include "widgets/paint/text.h"
#include "widgets/theme/fonts.h"
#include "widgets/time/qt_text.h"

#include <cmath>

namespace helio {

namespace {

constexpr int ChipHeight = 16;
constexpr double ChipPadding = 8;
constexpr double DotSize = 6;
constexpr double DotGap = 5;

double dotWidth(const HostHeading& host) { return host.isAligned && !host.isDoubtful ? 0 : DotSize + DotGap; }

} // namespace

void paintHostBadge(QPainter& painter, QPointF topLeft, const HostHeading& host, const Theme& theme)
{
    const QRectF rect(topLeft, QSizeF(BadgeSize, BadgeSize));
    const QColor ground = theme.category(host.color);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(rect, 3, 3);
    const QFont font = Fonts().at(11, 700);
    painter.setFont(font);
    painter.setPen(theme.textColorFor(ground));
    const QString letter = text(host.letter);
    painter.drawText(QPointF(rect.center().x() - cachedTextWidth(font, letter) / 2, centredBaseline(font, rect)), letter);
    painter.restore();
}

QPixmap hostBadge(const HostHeading& host, const Theme& theme, qreal pixelRatio)
{
    const int size = int(std::ceil(BadgeSize * pixelRatio));
    QPixmap pixmap(size, size);
    pixmap.setDevicePixelRatio(pixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintHostBadge(painter, {}, host, theme);
    return pixmap;
}

QRectF clockChip(const HostHeading& host, const QFont& font, double right, double middle)
{
    if (host.clock.empty())
        return {};
    const double width = std::ceil(tabularWidth(font, text(host.clock)) + dotWidth(host)) + 2 * ChipPadding;
    return {right - width, std::floor(middle - ChipHeight / 2.0), width, double(ChipHeight)};
}

void paintClockChip(QPainter& painter, const QRectF& chip, const HostHeading& host, const QFont& font, const Theme& theme)
{
    if (chip.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color("line.subtle"));
    painter.setBrush(theme.color("surface.panel"));
    painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), chip.height() / 2, chip.height() / 2);
    if (dotWidth(host) > 0) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(host.isAligned ? "severity.warning" : "mark.unsynced"));
        painter.drawEllipse(QRectF(chip.left() + ChipPadding, chip.center().y() - DotSize / 2, DotSize, DotSize));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setFont(font);
    painter.setPen(theme.color(host.isAligned ? "text.secondary" : "text.primary"));
    drawTabular(painter, chip.adjusted(ChipPadding + dotWidth(host), 0, -ChipPadding, 0), Qt::AlignLeft, text(host.clock));
    painter.restore();
}

} // namespace helio
