#pragma once

#include "core/relations/packets/matched_ends.h"
#include "core/relations/packets/packet_reading.h"

namespace helio::packets {

/// Gives sightings without addresses the flow of the sockets at both ends, where both are recorded: those of a matched packet, else those
/// of a socket whose packets all go to one other socket. Of other sightings the connection is not known. Cost: some 200 ns a sighting.
void findSocketFlows(Sightings& sightings, const MatchedEnds& ends);

/// Whether a flow says which connection its packets are of.
inline bool isNamed(const FlowKey& flow) { return flow.version != 0 || flow != flow.back(); }

} // namespace helio::packets
