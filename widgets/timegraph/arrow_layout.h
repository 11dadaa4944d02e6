#pragma once

#include "core/query/arrows.h"
#include "widgets/time/time_scale.h"
#include "widgets/timegraph/graph_rows.h"

#include <QPointF>
#include <QSize>

#include <span>
#include <vector>

namespace helio {

/// Lines between the same two rows keep this many pixels apart, so that their heads can be told apart: one stands for those next to it.
constexpr double LeastArrowGap = 8;

/// An arrow from edge to edge of two rows, in the time area's own coordinates.
struct ArrowLine {
    QPointF from;
    QPointF to;
    LinkKind kind = LinkKind::Wakeup;
    bool isFollowed = false;
    int fromRow = -1;
    int toRow = -1;
    bool operator==(const ArrowLine&) const = default;
};

/// Where arrows are too many: a mark over the woken end.
struct ArrowMark {
    QPointF tip;
    bool operator==(const ArrowMark&) const = default;
};

struct ArrowLayout {
    std::vector<ArrowLine> lines;
    std::vector<ArrowMark> marks;
    bool operator==(const ArrowLayout&) const = default;
};

/// What the layout depends on besides the arrows.
struct ArrowPlace {
    TimeScale scale; ///< Of the time area, device-independent.
    int height = 0;
    int scrollY = 0;
    int selectedRow = -1;
    int hoveredRow = -1;
    bool showsSched = false;
    std::uint64_t total = 0; ///< Arrows there are in the window, also those not handed over.
    bool areAll = true; ///< All there are were handed over; else marks would lie.
    const Arrow* followed = nullptr;
};

/// Lines for the links of the selected and hovered row, and for all while they are few: fewer than one per 24 pixels and under 200.
ArrowLayout layOutArrows(std::span<const Arrow> arrows, const GraphRows& rows, const ArrowPlace& place);

} // namespace helio
