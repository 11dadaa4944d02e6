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

/// Minimum distance in pixels between two lines from the same row to the same row. If lines are closer, only the first one is drawn.
constexpr double LeastArrowGap = 8;

constexpr double ArrowHitDistance = 2.5; ///< Maximum distance in pixels between the pointer and an arrow that it hits.

/// Length in pixels of an arrow with only one end in this panel, e.g. a wake-up by an interrupt on a CPU of another panel.
constexpr double StubLength = 11;

/// Line of an arrow between the edges of two rows. Coordinates are those of the time area.
struct ArrowLine {
    QPointF from;
    QPointF to;
    Arrow arrow;
    bool isFollowed = false;
    bool isStub = false; ///< True if the start of the arrow has no row in this panel; `from` is then directly above the row of `to`.
    bool isOutgoingStub = false; ///< True if the end of the arrow has no row in this panel; `to` is then directly below the row of `from`.
    /// Error of the head's x in pixels, to either side, from the error bound of the two clocks; 0 if below one pixel or unknown.
    double spread = 0;
    LinkOrder order = LinkOrder::Forward;
    /// Highlighting of an arrow. In: the arrow belongs to the highlighted links; Out: only other links are highlighted; None: no
    /// highlighting is active.
    enum class Light : std::uint8_t { None, In, Out };
    Light light = Light::None;
    bool operator==(const ArrowLine&) const = default;
};

/// Triangle above the row where an arrow ends. Replaces the line if the view has too many arrows.
struct ArrowMark {
    QPointF tip;
    bool operator==(const ArrowMark&) const = default;
};

struct ArrowLayout {
    std::vector<ArrowLine> lines;
    std::vector<ArrowMark> marks;
    bool operator==(const ArrowLayout&) const = default;

    /// Returns the line nearest to point `at`, at most `reach` pixels away; nullptr if no line is that near.
    const ArrowLine* lineAt(QPointF at, double reach = 4) const;
};

/// View state that the layout of arrows depends on.
struct ArrowLayoutContext {
    TimeScale scale; ///< Scale of the time area in device-independent pixels.
    int height = 0;
    int scrollY = 0;
    int selectedRow = -1;
    int hoveredRow = -1;
    std::uint64_t total = 0; ///< Number of arrows in the visible range, including arrows that layOutArrows() does not get.
    /// True if the layout got all arrows of the visible range. Triangle marks are only drawn in this case; otherwise they would be
    /// incomplete.
    bool areAll = true;
    TimeRange selectedState = {}; ///< State interval selected on `selectedRow`; empty if no state is selected.
    /// State interval under the pointer on `hoveredRow`. Only arrows that end in this interval count as arrows of the hovered row; if
    /// empty, all arrows of the row do.
    TimeRange pointedState = {};
    /// Timeline that gives the clocks of the hosts, from which the direction and error of messages follow; nullptr if all arrows are within
    /// one host.
    const Timeline* timeline = nullptr;

    /// Returns the maximum number of arrows that are drawn as lines, because more would hide the rows: one per 24 pixels of width, at most
    /// 200.
    double limit() const { return std::min(200.0, scale.width() / 24); }
};

/// Lays out arrows as lines, or as triangle marks if there are too many. All arrows get lines while they are fewer than
/// ArrowLayoutContext::limit(). Otherwise these arrows get lines:
/// - arrows that begin or end the selected state, always;
/// - arrows of the selected state, of the selected row, of the hovered row, and messages between hosts: each group if it is below the
/// limit.
ArrowLayout layOutArrows(std::span<const Arrow> arrows, const GraphRows& rows, const ArrowLayoutContext& place);

/// Lays out the line of one arrow, regardless of the number of arrows; nullopt if it is out of view. If the thread at one end of a message
/// is unknown, the line begins or ends at the heading of the host there; if this heading is not shown, beside the row of the other end.
std::optional<ArrowLine> layOutArrow(const Arrow& arrow, const GraphRows& rows, const ArrowLayoutContext& place);

} // namespace helio
