#pragma once

#include "core/timesync/host_headings.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPixmap>

namespace helio {

constexpr int BadgeSize = 16;

/// Paints the host's letter on a square of the host's colour, BadgeSize pixels wide. Rows, wait steps and tables all use it.
void paintHostBadge(QPainter& painter, QPointF topLeft, const HostHeading& host, const Theme& theme);
QPixmap hostBadge(const HostHeading& host, const Theme& theme, qreal pixelRatio);

/// Rectangle of the chip that says how the host's clock relates to the reference host's: it ends at `right` and is vertically centred on
/// `middle`. Empty if there is only one host, which needs no chip.
QRectF clockChip(const HostHeading& host, const QFont& font, double right, double middle);
void paintClockChip(QPainter& painter, const QRectF& chip, const HostHeading& host, const QFont& font, const Theme& theme);

} // namespace helio
