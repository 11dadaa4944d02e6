#pragma once

#include "core/timesync/link_times.h"
#include "widgets/time/time_scale.h"
#include "widgets/timeline/graph/rows/graph_rows.h"

#include <QPointF>
#include <QSize>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Lines between the same two rows keep this many pixels apart, so that their heads can be distinguished: one stands for those next to it.
constexpr double LeastArrowGap = 8;

constexpr double ArrowReach = 2.5; ///< Pixels beside an arrow that mean it.

/// How long the line of a wake-up is that comes from no row here: an interrupt's, from a CPU in another panel.
constexpr double StubLength = 11;

/// An arrow from edge to edge of two rows, in the time area's own coordinates.
struct ArrowLine {
    QPointF from;
    QPointF to;
    Arrow arrow;
    bool isFollowed = false;
    bool isStub = false; ///< From no row here: `from` lies right above the row.
    bool goesNowhere = false; ///< To no row here: `to` lies right below the row.
    /// The head may be so many pixels to either side: as the clocks of two hosts may be wrong. 0: it is certain, or not known.
    double spread = 0;
    LinkOrder order = LinkOrder::Forward;
    /// While a part of the rows is lit: an arrow of that part, or of all else.
    enum class Light : std::uint8_t { None, In, Out };
    Light light = Light::None;
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

    /// The line next to a point, at most so many pixels away; null: none.
    const ArrowLine* lineAt(QPointF at, double reach = 4) const;
};

/// What the layout depends on besides the arrows.
struct ArrowPlace {
    TimeScale scale; ///< Of the time area, device-independent.
    int height = 0;
    int scrollY = 0;
    int selectedRow = -1;
    int hoveredRow = -1;
    std::uint64_t total = 0; ///< Arrows there are in the window, also those not handed over.
    bool areAll = true; ///< All there are were handed over; else marks would lie.
    TimeRange selectedState = {}; ///< Of the selected row; empty: none.
    TimeRange pointedState = {}; ///< Of the hovered row: only what reaches that is the row's. Empty: all is.
    const Timeline* timeline = nullptr; ///< That the arrows are of. Null: they are all of one host.

    /// From so many on lines would be a curtain: one per 24 pixels, 200.
    double limit() const { return std::min(200.0, scale.width() / 24); }
};

/// Lines for all arrows while they are few; else for those of the selected state, of the selected and of the hovered row, and for messages
/// between hosts, each while these are few; and always for those that begin or end the selected state. The others are marks.
ArrowLayout layOutArrows(std::span<const Arrow> arrows, const GraphRows& rows, const ArrowPlace& place);

/// One arrow's line, however many others there are; nothing where it is not in view. A message's end that has no row here, as nobody knows
/// who sent or got it, is at its host's heading, where there is one; else beside the other end's row.
std::optional<ArrowLine> layOutArrow(const Arrow& arrow, const GraphRows& rows, const ArrowPlace& place);

} // namespace helio
