#pragma once

#include "core/relation/transmissions.h"
#include "core/relations/packets/packet_reading.h"

#include <functional>
#include <stop_token>

namespace helio::packets {

/// Finds both ends of packets: those that are alike in all that events say of them (B5, with addresses and ports where they are recorded).
///
/// Interfaces of one host that a packet goes through are one way (interface_chains.h): where it stays on its host, a loopback or between
/// namespaces, both ends are matched. What left a host and came in at another one belongs together where there is one such end of each;
/// where there are several (the same packet sent again), they are ambiguous. Ends with as many hops to go come first; what is left came by
/// way of routers that are not traced. Of what is left, ends of TCP that have bytes of the stream in common (packet_pieces.h).
///
/// `hostOf`: of a trace. Cost: a sort of the sightings, some 500 ns each.
Transmissions matchPackets(Sightings sightings, const std::function<std::uint32_t(std::uint32_t)>& hostOf, const std::stop_token& stop);

} // namespace helio::packets
