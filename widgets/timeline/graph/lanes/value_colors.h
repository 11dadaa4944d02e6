#pragma once

#include "core/query/rows/rows.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/lanes/frame_choice.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// Colours by value, for rows that have states with StateFlag::ColoredByValue. Each such state is divided into one state per category
/// colour and one for the kernel; the new states are appended to the set. The colour of a value depends on its kind:
/// - thread: by the number of its row; by the label if the row has no number
/// - frame: by its module, as in a flame graph, even if its name is unknown; by its function if the recording has functions without modules
/// - text: the look of the set's state with that name, otherwise by its letters
/// - whole number: by the number; other numbers by their digits

/// Bar of a divided state that looks different from those of the first divided state: its end, if the state has another drawing style;
/// with the same style (BarPattern::Plain), the bar has a line at its top, in the state's own colour.
struct LaneEnd {
    std::uint32_t span = 0; ///< Index of the bar's span.
    BarPattern drawing = BarPattern::Plain;
    bool operator==(const LaneEnd&) const = default;
};

/// True if `drawing` marks a bar that continues after the end of the recording.
constexpr bool isOpenEnd(BarPattern drawing) { return drawing == BarPattern::CutCorner; }

/// Assigns states by value to the spans of a row with StateFlag::ColoredByValue; other rows are unchanged. Returns the ends of spans that
/// are a single interval.
/// - A folded span gets the colour of its longest interval.
/// - Spans whose value has no meaning are unchanged.
/// - Calls that `frames` hides are removed; a folded span whose longest call is hidden is faded, because it may contain shown calls.
std::vector<LaneEnd> colorByValue(const Timeline& timeline, TrackRef track, Spans& spans, const FrameChoice& frames = {});

/// Returns the state of an interval by its value; the recorded state if the row has no states by value; nullopt if `frames` hides it.
std::optional<State> stateByValue(const Timeline& timeline, TrackRef track, const Interval& interval, const FrameChoice& frames = {});

/// Returns the look of an interval's bar, with the colour of its value if it has one.
StateAppearance styleByValue(const Theme& theme, const Timeline& timeline, TrackRef track, const Interval& interval);

/// Returns the looks of a set, then one look per colour and, if there is room, one for faded spans. The added looks have the drawing
/// style of the first divided state.
StateLooks stylesByValue(const Theme& theme, const StateSet& set);

} // namespace helio
