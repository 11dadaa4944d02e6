#pragma once

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

} // namespace helio::packets
