#pragma once

#include "core/query/rows/rows.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/lanes/frame_choice.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// Colours by value, for rows that have states with StateFlag::ColoredByValue. Each of these states is divided into one state per category
/// colour and one for the kernel, which are appended to the set. The colour is chosen by the value:
/// - a thread: by its number; a row without a number: by its label
/// - a frame: by its module, as in a flame graph, even if its name is unknown; by its function if the recording names functions without
/// modules
/// - a text: the look of the state of the set with that name, otherwise by the letters
/// - a whole number: by the number, other numbers by their digits

/// End of a bar in a divided state whose drawing style differs from that of the first divided state.
struct LaneEnd {
    std::uint32_t span = 0; ///< Index into the spans.
    BarPattern drawing = BarPattern::Plain;
    bool operator==(const LaneEnd&) const = default;
};

/// True if `drawing` marks a bar that goes on after the end of the recording.
constexpr bool isOpenEnd(BarPattern drawing) { return drawing == BarPattern::CutCorner; }

/// Gives the spans of a row with StateFlag::ColoredByValue their states by value, and returns the ends of spans that are one interval.
/// Folded spans take the colour of the value of their longest interval. Spans of other rows, and spans whose value has no meaning, are
/// unchanged. Calls that `frames` hides are removed; a folded span whose longest call is hidden is faded, as it may contain calls that are
/// shown.
std::vector<LaneEnd> colorByValue(const Timeline& timeline, TrackRef track, Spans& spans, const FrameChoice& frames = {});

/// Returns the state by value of an interval; its own state if the row has no states by value; nullopt if `frames` hides it.
std::optional<State> stateByValue(const Timeline& timeline, TrackRef track, const Interval& interval, const FrameChoice& frames = {});

/// Returns the look of an interval's bar, with the colour of its value if it has one.
StateAppearance styleByValue(const Theme& theme, const Timeline& timeline, TrackRef track, const Interval& interval);

/// Returns the looks of the set, followed by one look per colour and, if there is room, one for faded spans. The added looks are drawn like
/// the first divided state.
StateLooks stylesByValue(const Theme& theme, const StateSet& set);

} // namespace helio
