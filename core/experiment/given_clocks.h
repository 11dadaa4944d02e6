#pragma once

#include "core/experiment/clock_choice.h"

#include <optional>
#include <string>

namespace helio {

/// Chains two clocks: `first` leads from clock A to clock B, `then` from B to C, and the result from A to C. Error bounds add up. The
/// result is raw if either clock is raw.
GivenClock composed(const GivenClock& first, const GivenClock& then);
/// Inverts a clock: leads from the reference host's clock to the host's. A raw clock stays raw.
GivenClock inverse(const GivenClock& given);

/// Restates `choice` with `host` as the reference host. Empty if `choice` does not relate the clock of `host` to its reference.
std::optional<ClockChoice> onClockOf(const std::string& host, const ClockChoice& choice);

} // namespace helio
