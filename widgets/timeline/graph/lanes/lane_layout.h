#pragma once

#include "core/store/track.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_scale.h"

#include <array>
#include <cstdint>
#include <vector>

namespace helio {

/// One state's share of a stack, in pixels above the baseline.
struct LanePart {
    std::uint8_t state = 0;
    std::int16_t from = 0;
    std::int16_t to = 0;
    bool operator==(const LanePart&) const = default;
};

/// Columns that look the same: a bar, or one column where several states meet.
struct LanePiece {
    std::int32_t x = 0;
    std::int32_t width = 1;
    std::uint32_t firstPart = 0;
    std::uint16_t parts = 0;
    bool isPure = false; ///< One state all over: its drawing (hatch, cut corner) applies.
    bool startsBar = false; ///< The bar's own begin is here, not a cut.
    bool isParted = false; ///< Its left neighbour, at most a pixel away, is another bar of the same state.
    bool operator==(const LanePiece&) const = default;
};

/// A mark above a state that is too small to be seen and must be. Interrupts only where they take far more than they do elsewhere in the
/// lane.
struct LaneTick {
    std::int32_t x = 0;
    std::uint8_t state = 0;
    bool operator==(const LaneTick&) const = default;
};

/// All that painting a lane needs. Positions in pixels of the scale.
struct LaneLayout {
    std::vector<LanePiece> pieces;
    std::vector<LanePart> parts;
    std::vector<LaneTick> ticks;
    void clear();
};

/// Height of a state in pixels: its sixteenths of the band, at least one where it has any.
int heightOf(const StateLook& look, int band);

/// In which order the states of a set are stacked. Made once for all lanes of the set.
struct StackOrder {
    static constexpr std::size_t States = 32;

    std::array<std::uint8_t, States> states{}; ///< From the baseline up.
    std::array<std::uint8_t, States> places{}; ///< By state: where it is in `states`.

    explicit StackOrder(const StateLooks& looks = {});
};

struct StackedLooks {
    const StateLooks& looks;
    const StackOrder& order; ///< Of these looks.
};

/// Which columns of a scale are laid out. The scale's width is in the pixels painted.
struct LaneColumns {
    TimeScale scale;
    int first = 0; ///< May lie outside of the scale's width.
    int count = 0;
    Timestamp asked{}; ///< Where the spans' query began: bars are cut there.
};

/// Stacks the shares of every column: pure, no window needed. Pieces stand from 0 at the first column. `out` is cleared, its room reused.
/// Cost: a few ns a span and column.
void layOutLane(const Spans& spans, const StackedLooks& states, const LaneColumns& columns, int band, LaneLayout& out);

/// Where a bar's text may stand, in pixels of the scale.
struct LabelPlace {
    double left = 0;
    double right = 0;
    std::uint32_t span = 0; ///< Index in the spans.
};

/// The bars wide enough to be labelled.
std::vector<LabelPlace> labelPlaces(const Spans& spans, const StateLooks& looks, const TimeScale& scale, double least);

} // namespace helio
