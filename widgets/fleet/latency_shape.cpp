#include "widgets/fleet/latency_shape.h"

#include "widgets/theme/themes.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace helio {

using fleet::FleetLatency;
using fleet::LatencyKind;

void paintLatencyShape(QPainter& painter, const QPoint& topLeft, const FleetLatency& latency, Duration tail, const QColor& tailColor)
{
    const int floor = topLeft.y() + LatencyShapeSize.height() - 1;
    painter.fillRect(topLeft.x(), floor, LatencyShapeSize.width(), 1, theme().color("line.subtle"));
    const double most = std::log1p(double(std::ranges::max(latency.shape)));
    for (std::size_t i = 0; i < FleetLatency::Columns; ++i) {
        if (latency.shape[i] == 0)
            continue;
        // A bar of at least one pixel: even a single duration is visible.
        const int height = std::max(1, int(std::lround(std::log1p(double(latency.shape[i])) / most * (LatencyShapeSize.height() - 1))));
        const bool isTail = FleetLatency::columnBegin(i) >= tail;
        painter.fillRect(topLeft.x() + int(i) * 3, floor - height, 2, height, isTail ? tailColor : theme().color("mark.bookmark"));
    }
}

const char* tailRole(LatencyKind kind)
{
    switch (kind) {
    case LatencyKind::Scheduling: return "thread.wait-cpu";
    case LatencyKind::SystemCall: return "thread.running-syscall";
    case LatencyKind::Block: return "thread.blocked";
    }
    return "thread.unknown";
}

QString titleOf(LatencyKind kind)
{
    switch (kind) {
    case LatencyKind::Scheduling: return QCoreApplication::translate("LatencyShape", "Scheduling latency");
    case LatencyKind::SystemCall: return QCoreApplication::translate("LatencyShape", "System call latency");
    case LatencyKind::Block: return QCoreApplication::translate("LatencyShape", "Block latency");
    }
    return {};
}

} // namespace helio
