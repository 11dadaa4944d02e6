#pragma once

#include "core/correlators/packets/matched_ends.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio::packets {

/// Lists the packets that flows with known ends sent, says which were sent again and which connection each is of, and counts them; makes
/// the messages of what was matched. Requires: the messages have their flows. Cost: a sort of the packets. A request of `stop` ends
/// it early; some packets are then not yet of a connection.
void addSent(const MatchedEnds& ends, const std::vector<bool>& isLossy, Transmissions& messages, const std::stop_token& stop);

} // namespace helio::packets
