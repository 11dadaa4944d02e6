#pragma once

#include "core/correlators/packets/matched_ends.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio::packets {

/// Makes a message of each match, lists the packets of flows with known ends, finds their retransmissions and connections, and counts them.
/// Requires: the messages have their flows. Ends early once `stop` is requested; some packets then have no connection yet.
/// Cost: a sort of the packets.
void addSent(const MatchedEnds& ends, const std::vector<bool>& isLossy, Transmissions& messages, const std::stop_token& stop);

} // namespace helio::packets
