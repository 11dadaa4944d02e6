#pragma once

#include "core/timesync/host_headings.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPixmap>

namespace helio {

constexpr int BadgeSize = 16;

/// Paints the letter of a host on a square in the host's colour, BadgeSize pixels wide; used by rows, wait steps and tables.
void paintHostBadge(QPainter& painter, QPointF topLeft, const HostHeading& host, const Theme& theme);
QPixmap hostBadge(const HostHeading& host, const Theme& theme, qreal pixelRatio);

/// Rectangle of the chip that shows how the host's clock is related to the reference clock. Its right edge is `right`, its vertical centre
/// is `middle`. Empty if there is only one host.
QRectF clockChip(const HostHeading& host, const QFont& font, double right, double middle);
void paintClockChip(QPainter& painter, const QRectF& chip, const HostHeading& host, const QFont& font, const Theme& theme);

} // namespace helio
