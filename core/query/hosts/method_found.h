#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>

namespace helio {

/// How the host's clock would be related if nobody decided anything: the best of what its messages with others say. None: they say nothing.
ClockMethod methodFound(const Timeline& timeline, std::uint32_t host);

} // namespace helio
