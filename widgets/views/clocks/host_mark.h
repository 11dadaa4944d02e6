#pragma once

#include <QPainter>
#include <QString>

namespace helio {

constexpr int HostMarkSize = 16;

/// The host's letter on a ground of its colour, with its top left there. `host`: its place in Timeline::hosts.
void paintHostMark(QPainter& painter, QPointF topLeft, const QString& name, int host);

} // namespace helio
