#pragma once

#include "core/timesync/host_headings.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPixmap>

namespace helio {

constexpr int BadgeSize = 16;

/// The host's letter on a ground of its colour, with its top left there: the same in every row, step and table.
void paintHostBadge(QPainter& painter, QPointF topLeft, const HostHeading& host, const Theme& theme);
QPixmap hostBadge(const HostHeading& host, const Theme& theme, qreal pixelRatio);

/// How its clock is related to the reference's, in a pill whose right edge is there, centred on a height. Where it lies; empty: there is
/// one host, which has none.
QRectF clockChip(const HostHeading& host, const QFont& font, double right, double middle);
void paintClockChip(QPainter& painter, const QRectF& chip, const HostHeading& host, const QFont& font, const Theme& theme);

} // namespace helio
