#pragma once

#include "core/relations/packets/packet_reading.h"

#include <span>
#include <vector>

namespace helio::packets {

/// Reduces the sightings of one packet on one host to the ends of its way there: a packet goes through several interfaces of its host
/// (veth, a bridge, a VLAN, macvlan, the network card) before it leaves, or after it came in.
///
/// Sightings that follow each other within 100 ms are one chain while the packet has no more hops to go than before. An interface that sees
/// the packet once more in the same direction begins another chain, since the packet was sent again. Interfaces of different namespaces may
/// have the same name: a packet that no thread sent, and that came in elsewhere in the same memory within 1 ms, continues there. Where
/// interfaces are not recorded, a packet that goes out is continued by one that comes in, or by one in the same memory. The kernel copies
/// multicast packets for several interfaces: they continue in the same memory and direction alone.
///
/// A chain that begins with a packet going out and ends so is one end, at the last interface, of the thread that sent it at the first; one
/// that begins and ends coming in is one end, at the first interface, with the thread that was woken at the last. Others are two ends: of a
/// packet that stays on its host, or that is passed on.
///
/// Requires: `ofHost` is in the order of time. Appends to `ends`, in the order of time.
void joinInterfaces(std::span<const Sighting> ofHost, const FlowKey& flow, std::vector<Sighting>& ends);

} // namespace helio::packets
