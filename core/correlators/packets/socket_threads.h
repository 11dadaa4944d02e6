#pragma once

#include "core/correlation/transmissions.h"
#include "core/correlators/packets/matched_ends.h"
#include "core/correlators/packets/packet_reading.h"

namespace helio::packets {

/// Gives observations without addresses a flow between the sockets at both ends. The sockets are known for packets that were matched; an
/// unmatched packet gets the flow of all other packets of its socket, if they go to one socket. The connection of all other observations
/// stays unknown.
/// Cost: about 200 ns per observation.
void findSocketFlows(PacketObservations& sightings, const MatchedEnds& ends);

/// True if the flow identifies the connection of its packets.
inline bool isNamed(const FlowKey& flow) { return flow.version != 0 || flow != flow.back(); }

/// Finds the threads that used the sockets at both ends of every message. A thread that was woken while a packet came in may have nothing
/// to do with it: it counts if it also sends from the socket or accepted the connection, or if half of all packets that come in there wake
/// it. An end without a thread gets the thread that the connection's other packets have there; it stays unknown if there is none. Requires:
/// messages and packets have their connections.
/// Cost: about 500 ns per message.
void findSocketThreads(Transmissions& messages);

} // namespace helio::packets
