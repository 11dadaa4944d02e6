#pragma once

#include "core/query/rows/rows.h"

#include <string>

namespace helio {

/// An interval as text: the name of its state, and its value as detail. For states named by their values (StateFlag::NamedByValue), the
/// value is the name, and the state's name is the detail.
struct StateText {
    std::string state;
    std::string detail; ///< Text that is shown after `state`; empty if the interval has no detail.
};
StateText stateText(const Timeline& timeline, TrackRef track, const Interval& interval);

} // namespace helio
