#include "core/query/rows/state_text.h"

namespace helio {

StateText stateText(const Timeline& timeline, TrackRef track, const Interval& interval)
{
    const StateKind& kind = stateKind(timeline, track, interval.state);
    StateText text{kind.name, valueText(timeline, track, interval.value)};
    if (kind.style.has(StateFlag::NamedByValue))
        return {text.detail, text.state};
    // Leave out a detail that only repeats the state's name.
    if (text.detail == text.state)
        text.detail.clear();
    return text;
}

} // namespace helio
