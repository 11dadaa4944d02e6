#pragma once

#include "core/correlation/transmissions.h"
#include "core/correlators/packets/matched_ends.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio::packets {

/// Assigns each packet to a connection, and finds retransmissions: packets whose bytes their connection has all sent before. A handshake
/// with a new initial sequence number begins a new connection, because ports may be used again. A packet without a handshake belongs to the
/// connection with the nearest sequence numbers. Stops early, between two flows, once `stop` is requested.
/// Requires: `messages` contains all flows, and all packets in the order of the flows.
/// Cost: about 20 ns per packet; for ports that are used again, also a search among their connections.
void findConnections(Transmissions& messages, const std::stop_token& stop = {});

/// Makes a message of each match, lists the packets of flows with known addresses or sockets, finds their retransmissions and connections,
/// and counts packets. Stops early once `stop` is requested; some packets then have no connection.
/// Requires: `messages` has its flows.
/// Cost: a sort of the packets.
void addSent(const MatchedEnds& ends, const std::vector<bool>& isLossy, Transmissions& messages, const std::stop_token& stop);

} // namespace helio::packets
