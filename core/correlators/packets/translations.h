#pragma once

#include "core/correlators/packets/packet_reading.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio::packets {

/// Finds flows whose addresses or ports are translated on their way (NAT, masquerading, for example for containers), and replaces the
/// flow of their observations by the flow that the connection's opener uses. Returns a vector indexed by flow: the flow after the next
/// translation on the way from the opener to the other end; NoFlow if the flow is not translated. The vector has an element for each
/// flow that exists after the call; flows added later are not translated.
///
/// Packets of two flows are considered equal if all other identifying fields are equal: sequence and acknowledgement numbers, length, flags
/// and IP identification. The search has two steps:
/// - Within each host: packets that the host forwarded from one interface to another. A forwarded TCP packet has one hop fewer, or stays
/// in its kernel memory. For other protocols, which have no sequence numbers, both must be true.
/// - Between hosts: TCP packets that have one flow on some hosts and another flow on all other hosts.
///
/// Two flows belong together only if no other flow shares packets with either of them, and if they share enough packets, counting both
/// directions: three, or two in the same memory, or one in the same memory if the flows also share an address and port.
///
/// Adds the flows of the opposite directions. Requires: the hosts of the observations are set.
/// Cost: a sort of the observations.
std::vector<std::uint32_t> joinTranslated(PacketObservations& observations, const std::stop_token& stop);

} // namespace helio::packets
