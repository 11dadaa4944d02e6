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

/// Minimum distance in pixels between two lines that join the same two rows. Closer lines are not drawn: the first one stands for them.
constexpr double LeastArrowGap = 8;

constexpr double ArrowHitDistance = 2.5; ///< Distance in pixels up to which the pointer hits an arrow.

/// Length in pixels of an arrow whose other end has no row in this panel, e.g. a wake-up by an interrupt on a CPU of another panel.
constexpr double StubLength = 11;

/// Line of an arrow between the edges of two rows. Coordinates are those of the time area.
struct ArrowLine {
    QPointF from;
    QPointF to;
    Arrow arrow;
    bool isFollowed = false;
    bool isStub = false; ///< True if the start has no row here; `from` then lies right above the row of `to`.
    bool isOutgoingStub = false; ///< True if the end has no row here; `to` then lies right below the row of `from`.
    /// Distance in pixels by which the head may be off to either side, from the error bound of the two clocks; 0 if below a pixel or
    /// unknown.
    double spread = 0;
    LinkOrder order = LinkOrder::Forward;
    /// Highlighting of the arrow: In if it belongs to the highlighted links, Out if only other links are highlighted, None without
    /// highlighting.
    enum class Light : std::uint8_t { None, In, Out };
    Light light = Light::None;
    bool operator==(const ArrowLine&) const = default;
};

/// Triangle above the row that an arrow ends on. It replaces the line of an arrow where lines would be too many.
struct ArrowMark {
    QPointF tip;
    bool operator==(const ArrowMark&) const = default;
};

struct ArrowLayout {
    std::vector<ArrowLine> lines;
    std::vector<ArrowMark> marks;
    bool operator==(const ArrowLayout&) const = default;

    /// Returns the line nearest to `at`, at most `reach` pixels away; nullptr if there is none.
    const ArrowLine* lineAt(QPointF at, double reach = 4) const;
};

/// View state that the layout of arrows depends on.
struct ArrowLayoutContext {
    TimeScale scale; ///< Scale of the time area in device-independent pixels.
    int height = 0;
    int scrollY = 0;
    int selectedRow = -1;
    int hoveredRow = -1;
    std::uint64_t total = 0; ///< Number of arrows in the visible range, including those that were not passed in.
    /// True if all arrows of the visible range were passed in. Marks are only placed then: they would mislead otherwise.
    bool areAll = true;
    TimeRange selectedState = {}; ///< State interval selected on `selectedRow`; empty if none.
    /// State interval under the pointer on `hoveredRow`: only arrows that end in it belong to the hovered row. Empty: all arrows of the row
    /// do.
    TimeRange pointedState = {};
    const Timeline* timeline = nullptr; ///< Timeline of the arrows; nullptr if all of them are of one host.

    /// Returns the number of arrows at which their lines begin to hide the rows: one per 24 pixels of width, at most 200.
    double limit() const { return std::min(200.0, scale.width() / 24); }
};

/// Lays out lines for all arrows while they are fewer than ArrowLayoutContext::limit(). Otherwise the arrows of the selected state, of the
/// selected row, of the hovered row, and messages between hosts get lines, each group only while it is below the limit. Arrows that begin
/// or end the selected state always get lines. All other arrows become marks.
ArrowLayout layOutArrows(std::span<const Arrow> arrows, const GraphRows& rows, const ArrowLayoutContext& place);

/// Lays out the line of one arrow, regardless of the number of arrows; nullopt if it is out of view. The end of a message whose thread is
/// unknown is placed at the heading of its host if that is shown, otherwise beside the row of the other end.
std::optional<ArrowLine> layOutArrow(const Arrow& arrow, const GraphRows& rows, const ArrowLayoutContext& place);

} // namespace helio
