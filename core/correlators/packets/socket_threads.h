#pragma once

#include "core/correlation/transmissions.h"
#include "core/correlators/packets/matched_ends.h"
#include "core/correlators/packets/packet_reading.h"

namespace helio::packets {

/// Assigns flows to the observations whose addresses were not recorded. The flow of a matched packet leads from the sender's socket to the
/// receiver's socket. An unmatched packet gets the flow of the matched packets of its socket, if these all have one flow.
/// Observations that still have no flow then have no known connection.
/// Cost: about 200 ns per observation.
void findSocketFlows(PacketObservations& observations, const MatchedEnds& ends);

/// True if the flow tells which connection its packets belong to: it has addresses, or two different sockets.
inline bool isNamed(const FlowKey& flow) { return flow.version != 0 || flow != flow.back(); }

/// Finds the threads that used the sockets at both ends of every message.
/// - A thread that was woken while a packet arrived may be unrelated to the packet. It is accepted if it also sends from the socket, or
///   accepted the connection, or is woken by at least half of all packets that arrive at the socket.
/// - An end without a thread gets the thread of the connection's other packets at that end; unknown if they have none.
/// Requires: messages and packets have their connections.
/// Cost: about 500 ns per message.
void findSocketThreads(Transmissions& messages);

} // namespace helio::packets
