#pragma once

#include "core/relations/packets/matched_ends.h"

#include <cstdint>
#include <vector>

namespace helio::packets {

/// Lists the packets that flows sent, says which were sent again and which connection each is of, and counts them; makes the messages of
/// what was matched. Requires: the messages have their flows. Cost: a sort of the packets.
void addSent(const MatchedEnds& ends, const std::vector<bool>& isLossy, Transmissions& messages);

} // namespace helio::packets
