#pragma once

#include "core/store/states.h"
#include "core/store/track.h"

namespace helio::calls {

constexpr State Called{0};
constexpr State Truncated{1}; ///< Closed because its exit was never seen.
constexpr State StillOpen{2}; ///< At the trace's end.

/// Those of the rows of depths.
StateSet callStates();

} // namespace helio::calls
