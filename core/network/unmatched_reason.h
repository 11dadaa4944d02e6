#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <string>

namespace helio {

/// Returns the reason why no packet of the host is matched with another host, as the end of a sentence, for example ": none of its packets
/// were recorded". Empty if some packets are matched or if packets were not searched for.
std::string unmatchedReason(const Timeline& timeline, std::uint32_t host);

} // namespace helio
