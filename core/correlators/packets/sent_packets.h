#pragma once

#include "core/correlation/transmissions.h"
#include "core/correlators/packets/matched_ends.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio::packets {

/// Assigns each packet to a connection, and finds retransmissions: packets without a byte that their connection did not send before. If
/// ports are used again, a handshake with another initial sequence number begins a new connection, and a packet belongs to the connection
/// with the sequence numbers nearest to its own. Requires: flows and packets, in their order. Ends early, between two flows, once `stop` is
/// requested.
/// Cost: about 20 ns per packet; for ports that are used again, also a search among their connections.
void findConnections(Transmissions& messages, const std::stop_token& stop = {});

/// Makes a message of each match, lists the packets of flows with known ends, finds their retransmissions and connections, and counts them.
/// Requires: the messages have their flows. Ends early once `stop` is requested; some packets then have no connection yet.
/// Cost: a sort of the packets.
void addSent(const MatchedEnds& ends, const std::vector<bool>& isLossy, Transmissions& messages, const std::stop_token& stop);

} // namespace helio::packets
