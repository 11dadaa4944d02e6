#pragma once

#include "core/store/states.h"
#include "core/store/track.h"

namespace helio::calls {

constexpr State Called{0};
constexpr State Truncated{1}; ///< Call that was closed without an exit of its own.
constexpr State StillOpen{2}; ///< Call that is still open at the end of the trace.

/// Returns the state set of the rows of depths.
StateSet callStates();

} // namespace helio::calls
