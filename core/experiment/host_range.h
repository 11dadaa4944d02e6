#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>

namespace helio {

/// The time range of the host's traces on its own clock, from the first to the last event; of traces that are not indexed, the range that
/// their packets claim. Empty at 0 if the packets have no times.
HostRange hostRange(const Timeline& timeline, std::uint32_t host);

/// The middle of hostRange(), on the host's own clock: the moment for which clock offsets are stated.
HostTimestamp middleOfHost(const Timeline& timeline, std::uint32_t host);

} // namespace helio
