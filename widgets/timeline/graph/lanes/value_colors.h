#pragma once

#include "core/query/rows/rows.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/lanes/frame_choice.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// Rows that have states with StateFlag::ByValue are coloured by their values: these states are divided into as many states as there are
/// category colours, and one for the kernel, behind the set's own. A thread has the colour of its number, another row that of its label; a
/// frame has that of its module, as in a flame graph, whether its name is known or not, and where the recording names functions without
/// modules that of its function; a text that names a state of the set has that state's look, any other the colour of its letters; a whole
/// number its own, any other that of its digits.

/// How a bar ends that is in one of the divided states: as the state is drawn, where the first of them is drawn in another way.
struct LaneEnd {
    std::uint32_t span = 0; ///< Its index in the spans.
    Drawing drawing = Drawing::Plain;
    bool operator==(const LaneEnd&) const = default;
};

/// Whether something so drawn goes on behind what was recorded.
constexpr bool isOpenEnd(Drawing drawing) { return drawing == Drawing::CutCorner; }

/// Gives the spans of such a row these states; the ends of those that are one interval. Folded spans take the colour of their longest
/// interval's value. Spans of other rows, and values that say nothing, stay as they are.
/// Calls that `frames` hides are taken away; where several are folded and the longest is such, they are faded, as others may be among them.
std::vector<LaneEnd> splitByValue(const Timeline& timeline, TrackRef track, Spans& spans, const FrameChoice& frames = {});

/// The state that an interval of such a row is given; its own where it is of another row. None: `frames` hides it.
std::optional<State> stateByValue(const Timeline& timeline, TrackRef track, const Interval& interval, const FrameChoice& frames = {});

/// As the interval's bar is drawn: in the colour of its value where it has one.
StateLook lookByValue(const Theme& theme, const Timeline& timeline, TrackRef track, const Interval& interval);

/// The looks that go with it: those of the set, behind them one for each colour and, where there is room, one of what is faded, drawn as
/// the first divided state is.
StateLooks looksByValue(const Theme& theme, const StateSet& set);

} // namespace helio
