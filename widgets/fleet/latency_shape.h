#pragma once

#include "core/fleet/fleet_table.h"

#include <QPainter>

namespace helio {

/// Size of a painted shape, in pixels: a bar of two and a gap of one for each column.
constexpr QSize LatencyShapeSize(int(fleet::FleetLatency::Columns) * 3 - 1, 18);

/// Paints the latencies of a trace as bars on a baseline, one for each octave, whose heights are logarithmic. Bars of durations that are
/// all above `tail` have the colour `tailColor`.
void paintLatencyShape(QPainter& painter, const QPoint& topLeft, const fleet::FleetLatency& latency, Duration tail,
                       const QColor& tailColor);

/// Returns the theme role for the tail of a kind: the colour of its cause.
const char* tailRole(fleet::LatencyKind kind);

/// Returns the title of a kind in the window, for example "Scheduling latency".
QString titleOf(fleet::LatencyKind kind);

} // namespace helio
