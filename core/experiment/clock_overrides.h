#pragma once

#include "core/experiment/clock_settings.h"

#include <optional>
#include <string>

namespace helio {

/// Chains two clocks: `first` leads from clock A to clock B, `then` from B to C, and the result from A to C. Error bounds add up. The
/// result is raw if either clock is raw.
ClockOverride composed(const ClockOverride& first, const ClockOverride& then);
/// Inverts a clock: leads from the reference host's clock to the host's. A raw clock stays raw.
ClockOverride inverse(const ClockOverride& given);

/// Restates `choice` with `host` as the reference host. Empty if `choice` does not relate the clock of `host` to its reference.
std::optional<ClockSettings> onClockOf(const std::string& host, const ClockSettings& choice);

} // namespace helio
