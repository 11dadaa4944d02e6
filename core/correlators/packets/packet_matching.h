#pragma once

#include "core/correlation/transmissions.h"
#include "core/correlators/packets/packet_reading.h"

#include <functional>
#include <stop_token>

namespace helio::packets {

/// Finds both ends of packets: ends are matched if all that events say of the packet is equal (B5, with addresses and ports if they are
/// recorded).
///
/// The interfaces of one host that a packet goes through are joined first (interface_chains.h). A packet that stays on its host, on a
/// loopback interface or between namespaces, has both its ends there. Other packets leave one host and come in at another one: a single
/// pair is matched; several pairs (the same packet sent again) are ambiguous. Pairs with equally many hops to go are matched first, then
/// pairs with fewer hops on arrival, as routers that are not traced lie between them, and last the parts of TCP packets (packet_pieces.h).
///
/// `hostOf`: returns the host of a trace.
/// Cost: a sort of the observations, about 500 ns each.
Transmissions matchPackets(PacketObservations sightings, const std::function<std::uint32_t(std::uint32_t)>& hostOf,
                           const std::stop_token& stop);

} // namespace helio::packets
