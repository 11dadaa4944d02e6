#pragma once

#include "core/experiment/clock_choice.h"

#include <optional>
#include <string>

namespace helio {

/// From a host's clock to a second one's, and from that to a third's; errors add up. Raw: where one of both is.
GivenClock composed(const GivenClock& first, const GivenClock& then);
/// From the other clock to this one.
GivenClock inverse(const GivenClock& given);

/// The same, all times on the clock of another one of its hosts. Nothing: it does not say how that one's is related to its reference's.
std::optional<ClockChoice> onClockOf(const std::string& host, const ClockChoice& choice);

} // namespace helio
