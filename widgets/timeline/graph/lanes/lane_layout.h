#pragma once

#include "core/store/track.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_scale.h"

#include <array>
#include <cstdint>
#include <vector>

namespace helio {

/// Vertical extent of one state in a stack, in pixels above the baseline.
struct LaneStateShare {
    std::uint8_t state = 0;
    std::int16_t from = 0;
    std::int16_t to = 0;
    bool operator==(const LaneStateShare&) const = default;
};

/// Adjacent columns that look the same: the columns of a bar, or a single column that several states share.
struct LaneRun {
    std::int32_t x = 0;
    std::int32_t width = 1;
    std::uint32_t firstPart = 0;
    std::uint16_t parts = 0;
    bool isPure = false; ///< True if the columns have only one state, so that its drawing style (hatch, cut corner) applies.
    bool startsBar = false; ///< True if the bar begins at `x`; false if it begins before the left edge of the lane.
    /// True if the bar is separated by a gap from the bar before it, which has the same state and ends at most one pixel to the left.
    bool isParted = false;
    bool operator==(const LaneRun&) const = default;
};

/// Mark above a column with a severe state too short to be seen. Interrupts only get a mark where they take far more time than elsewhere in
/// the lane.
struct LaneTick {
    std::int32_t x = 0;
    std::uint8_t state = 0;
    bool operator==(const LaneTick&) const = default;
};

/// Result of layOutLane() and input of paintLane(). Positions are in pixels of the scale.
struct LaneLayout {
    std::vector<LaneRun> runs;
    std::vector<LaneStateShare> parts;
    std::vector<LaneTick> ticks;
    void clear();
};

/// Returns the height of a state in pixels: the look's height, which is in sixteenths of `band`, but at least 1 unless it is 0.
int heightOf(const StateAppearance& look, int band);

/// Vertical order in which the states of a set are stacked. Computed once for all lanes of the set.
struct StackOrder {
    static constexpr std::size_t States = 32;

    std::array<std::uint8_t, States> states{}; ///< Numbers of the set's states in stacking order; the first state is at the baseline.
    std::array<std::uint8_t, States> places{}; ///< Index into `states` for each state.

    explicit StackOrder(const StateLooks& looks = {});
};

struct StackedLooks {
    const StateLooks& looks;
    const StackOrder& order; ///< Stacking order of the states in `looks`.
};

/// Range of pixel columns to lay out. The width of `scale` is in device pixels.
struct LaneColumns {
    TimeScale scale;
    int first = 0; ///< First column to lay out, in device pixels of `scale`; may be outside of the scale.
    int count = 0;
    Timestamp asked{}; ///< Begin of the range that the spans were queried for; bars are cut there.
};

/// Lays out a lane: stacks the shares of the states in every column. x = 0 in `out` is the first column. `out` is cleared; its memory is
/// reused.
/// Threads: any; needs no window.
/// Cost: a few ns per span and column.
void layOutLane(const Spans& spans, const StackedLooks& states, const LaneColumns& columns, int band, LaneLayout& out);

} // namespace helio
