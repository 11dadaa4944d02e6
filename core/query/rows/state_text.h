#pragma once

#include "core/query/rows/rows.h"

#include <string>

namespace helio {

/// What an interval is called and what more is said of it: its state, and its value as text. Of states that are named by their values
/// (StateFlag::NamedByValue): the value, and which sort of value it is.
struct StateText {
    std::string state;
    std::string detail; ///< Empty: nothing.
};
StateText stateText(const Timeline& timeline, TrackRef track, const Interval& interval);

} // namespace helio
