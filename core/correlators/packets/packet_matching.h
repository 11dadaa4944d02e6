#pragma once

#include "core/correlation/transmissions.h"
#include "core/correlators/packets/packet_reading.h"

#include <functional>
#include <stop_token>

namespace helio::packets {

/// Finds both ends of packets. Two ends match if all recorded fields are equal: flow (addresses and ports, if recorded), sequence and
/// acknowledgement numbers, length, flags and IP identification.
///
/// The observations of one packet on successive interfaces of one host are joined first (interface_chains.h). A packet that stays on its
/// host, on a loopback interface or between namespaces, has both ends on this host. Other packets leave one host and arrive at another
/// host: a single pair is matched; several pairs (a retransmission) are ambiguous. Pairs whose hop limits are equal are matched first. Next
/// come pairs with a lower hop limit on arrival, because routers without traces lie between their hosts. Parts of TCP packets come last
/// (packet_pieces.h).
///
/// `hostOf`: returns the host of a trace.
/// Cost: a sort of the observations, about 500 ns each.
Transmissions matchPackets(PacketObservations sightings, const std::function<std::uint32_t(std::uint32_t)>& hostOf,
                           const std::stop_token& stop);

} // namespace helio::packets
