#include "widgets/timegraph/arrow_layout.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace helio {

namespace {

bool isSame(const Arrow& a, const Arrow& b)
{
    return a.from == b.from && a.to == b.to && a.fromTime == b.fromTime && a.toTime == b.toTime && a.kind == b.kind;
}

} // namespace

ArrowLayout layOutArrows(std::span<const Arrow> arrows, const GraphRows& rows, const ArrowPlace& place)
{
    ArrowLayout layout;
    const double width = place.scale.width();
    const bool areFew = place.total < std::uint64_t(std::min(200.0, width / 24));
    int lastMark = -1;
    int lastMarkRow = -1;
    std::map<std::pair<int, int>, double> lastLine; ///< By rows: where the last line between them ends.
    for (const Arrow& arrow : arrows) {
        if (arrow.kind == LinkKind::Sched && !place.showsSched)
            continue;
        const int from = rows.find(arrow.from);
        const int to = rows.find(arrow.to);
        if (to < 0 || from == to)
            continue;
        const bool isFollowed = place.followed && isSame(*place.followed, arrow);
        const auto touches = [&](int row) { return row >= 0 && (row == from || row == to); };
        const double fromX = std::floor(place.scale.xAt(arrow.fromTime)) + 0.5;
        const double toX = std::floor(place.scale.xAt(arrow.toTime)) + 0.5;
        const int toTop = rows.top(to) - place.scrollY;
        const RowMetrics target = rows.metrics(to);
        if (from >= 0 && (areFew || isFollowed || touches(place.selectedRow) || touches(place.hoveredRow))) {
            const int fromTop = rows.top(from) - place.scrollY;
            const RowMetrics source = rows.metrics(from);
            const bool isDown = from < to;
            const QPointF start(fromX, fromTop + (isDown ? source.baseline() : source.bandTop));
            const QPointF end(toX, toTop + (isDown ? target.bandTop : target.baseline()));
            const auto [top, bottom] = std::minmax({start.y(), end.y()});
            if (bottom < 0 || top > place.height || std::max(fromX, toX) < 0 || std::min(fromX, toX) > width)
                continue;
            const auto last = lastLine.find({from, to});
            if (!isFollowed && last != lastLine.end() && std::abs(toX - last->second) < LeastArrowGap)
                continue; // the heads would run together
            lastLine[{from, to}] = toX;
            layout.lines.push_back({start, end, arrow.kind, isFollowed, from, to});
            continue;
        }
        if (!place.areAll || arrow.kind != LinkKind::Wakeup || toTop + target.height < 0 || toTop > place.height || toX < 0 || toX > width)
            continue;
        if (to == lastMarkRow && std::abs(int(toX) - lastMark) < 3)
            continue; // one would cover the other
        lastMark = int(toX);
        lastMarkRow = to;
        layout.marks.push_back({QPointF(toX, toTop + target.baseline() - target.band / 2 - 2)});
    }
    return layout;
}

} // namespace helio
