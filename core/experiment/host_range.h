#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>

namespace helio {

/// What the host's traces cover, on its own clock: first event to last event; while they are read, as their packets claim. Empty at 0: they
/// say nothing.
HostRange rangeOfHost(const Timeline& timeline, std::uint32_t host);

/// Where offsets are stated: the middle of the host's traces, on its own clock.
HostTimestamp middleOf(const Timeline& timeline, std::uint32_t host);

} // namespace helio
