#pragma once

#include "core/correlators/packets/packet_reading.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio::packets {

/// Finds flows whose addresses or ports are translated on the way (NAT, masquerading, for example for containers), and gives their
/// observations the flow that the opener of the connection knows. Returns, by flow, the flow that its next translation makes of it on the
/// way to the other end; NoFlow if it is not translated. The vector has an element for each flow that the observations have after the call;
/// flows added later are not translated.
///
/// Packets of two flows are the same if all other fields of their events are equal: sequence and acknowledgement numbers, length, flags and
/// IP identification. First each host is examined alone, for packets that it passed on from one interface to another: with one hop less to
/// go or in the same memory, and for protocols without sequence numbers both. Then hosts are compared, for packets of TCP that have one
/// flow on some hosts and the other flow on the rest. Two flows belong together only if no other flow has packets in common with either,
/// and if they have enough packets in common, both directions counted: three, or two in the same memory, or one in the same memory if the
/// flows share an address and port.
///
/// Requires: the hosts of the observations are set. Adds the opposite directions of flows.
/// Cost: a sort of the observations.
std::vector<std::uint32_t> joinTranslated(PacketObservations& sightings, const std::stop_token& stop);

} // namespace helio::packets
