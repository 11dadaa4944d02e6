#pragma once

#include "core/correlators/packets/packet_reading.h"

#include <span>
#include <vector>

namespace helio::packets {

/// Reduces the observations of one packet on one host to the ends of its way through the host: a packet goes through several interfaces of
/// its host (veth, a bridge, a VLAN, macvlan, the network card) before it leaves, or after it came in.
///
/// Observations that follow each other within 100 ms are one chain while the packet has no more hops to go than before. An interface that
/// sees the packet once more in the same direction begins another chain, because the packet was sent again. Interfaces of different
/// namespaces may have the same name: a packet that no thread sent, and that came in elsewhere in the same memory within 1 ms, continues
/// there. If interfaces are not recorded, a packet that goes out is continued by one that comes in, or by one in the same memory. The
/// kernel copies multicast packets for several interfaces: they continue in the same memory and direction alone.
///
/// A chain whose first and last observations go out is one end: at the time of the last interface, with the thread that sent the packet at
/// the first. A chain whose first and last observations come in is one end, too: at the time of the first interface, with the thread that
/// was woken at the last. All other chains are two ends: the packet stays on its host, or the host passes it on.
///
/// Requires: `ofHost` is in the order of time. Appends to `ends`, in the order of time.
void joinInterfaces(std::span<const PacketObservation> ofHost, const FlowKey& flow, std::vector<PacketObservation>& ends);

} // namespace helio::packets
