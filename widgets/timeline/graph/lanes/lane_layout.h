#pragma once

#include "core/store/track.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_scale.h"

#include <array>
#include <cstdint>
#include <vector>

namespace helio {

/// Share of one state in a stack, in pixels above the baseline.
struct LaneStateShare {
    std::uint8_t state = 0;
    std::int16_t from = 0;
    std::int16_t to = 0;
    bool operator==(const LaneStateShare&) const = default;
};

/// Columns that look the same: a bar, or a single column that several states share.
struct LaneRun {
    std::int32_t x = 0;
    std::int32_t width = 1;
    std::uint32_t firstPart = 0;
    std::uint16_t parts = 0;
    bool isPure = false; ///< True if only one state is in these columns; its drawing style (hatch, cut corner) applies.
    bool startsBar = false; ///< True if the bar begins here, false if it is cut at the left.
    /// True if the left neighbour, at most one pixel away, is another bar of the same state; a gap is drawn between them.
    bool isParted = false;
    bool operator==(const LaneRun&) const = default;
};

/// Mark above a column with a severe state that is too short to be seen. Interrupts get one only where they take far more time than
/// elsewhere in the lane.
struct LaneTick {
    std::int32_t x = 0;
    std::uint8_t state = 0;
    bool operator==(const LaneTick&) const = default;
};

/// Input for painting a lane. Positions are in pixels of the scale.
struct LaneLayout {
    std::vector<LaneRun> pieces;
    std::vector<LaneStateShare> parts;
    std::vector<LaneTick> ticks;
    void clear();
};

/// Returns the height of a state in pixels, from the sixteenths of the band in its look; at least 1 unless the look has none.
int heightOf(const StateAppearance& look, int band);

/// Order in which the states of a set are stacked. Computed once for all lanes of the set.
struct StackOrder {
    static constexpr std::size_t States = 32;

    std::array<std::uint8_t, States> states{}; ///< From the baseline up.
    std::array<std::uint8_t, States> places{}; ///< Index in `states` by state.

    explicit StackOrder(const StateLooks& looks = {});
};

struct StackedLooks {
    const StateLooks& looks;
    const StackOrder& order; ///< Order of `looks`.
};

/// Columns of a scale to lay out. The scale's width is in the pixels that are painted.
struct LaneColumns {
    TimeScale scale;
    int first = 0; ///< First column; may lie outside of the scale's width.
    int count = 0;
    Timestamp asked{}; ///< Begin of the spans' query, where bars are cut.
};

/// Stacks the shares of every column. x = 0 in `out` is the first column. `out` is cleared and its memory reused.
/// Threads: any; needs no window.
/// Cost: a few ns per span and column.
void layOutLane(const Spans& spans, const StackedLooks& states, const LaneColumns& columns, int band, LaneLayout& out);

} // namespace helio
