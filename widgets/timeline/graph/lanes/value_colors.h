#pragma once

#include "core/query/rows/rows.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/lanes/frame_choice.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// The functions in this file colour bars by value, in rows whose states have StateFlag::ColoredByValue. They append states to the row's
/// state set: one for each category colour of the theme, and one for the kernel. An interval gets the appended state that has the colour of
/// its value. The colour depends on the kind of the value:
/// - thread: by its TID; by its label if it has no TID
/// - frame: by its module, as in a flame graph, even if the function's name is unknown; by its function if the recording has functions
/// without modules
/// - text: the look of the state in the set with this name; otherwise by a hash of the text
/// - whole number: by the number; for other numbers, by a hash of the text

/// Mark for a bar that has the colour of its value, but is in another state than usual: a special end of the bar in the drawing style of
/// the state. With BarPattern::Plain, a line at the top of the bar instead, e.g. for inlined functions.
struct LaneEnd {
    std::uint32_t span = 0; ///< Index of the bar's span.
    BarPattern drawing = BarPattern::Plain;
    bool operator==(const LaneEnd&) const = default;
};

/// True if `drawing` marks a bar that continues after the end of the recording.
constexpr bool isOpenEnd(BarPattern drawing) { return drawing == BarPattern::CutCorner; }

/// Assigns states by value to the spans of a row with StateFlag::ColoredByValue; other rows are unchanged. Returns the ends of spans that
/// are a single interval and keep their own drawing style.
/// - A span that combines several intervals gets the colour of the longest one.
/// - Spans whose value is empty or unknown are unchanged.
/// - Calls that `frames` hides are removed; a span whose longest call is hidden is faded, because it may contain shown calls.
std::vector<LaneEnd> colorByValue(const Timeline& timeline, TrackRef track, Spans& spans, const FrameChoice& frames = {});

/// Returns the state that has the colour of the interval's value. Returns the recorded state if the row is not coloured by value; nullopt
/// if `frames` hides the interval.
std::optional<State> stateByValue(const Timeline& timeline, TrackRef track, const Interval& interval, const FrameChoice& frames = {});

/// Returns the look of an interval's bar, with the colour of its value if it has one.
StateAppearance styleByValue(const Theme& theme, const Timeline& timeline, TrackRef track, const Interval& interval);

/// Returns the looks of a set. If the set has states with StateFlag::ColoredByValue, appends one look per category colour, one for the
/// kernel and, if there is room, one for faded calls. The appended looks have the drawing style of the first of these states.
StateLooks stylesByValue(const Theme& theme, const StateSet& set);

} // namespace helio
