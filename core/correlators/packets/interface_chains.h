#pragma once

#include "core/correlators/packets/packet_reading.h"

#include <span>
#include <vector>

namespace helio::packets {

/// Reduces the observations of one packet on one host to the packet's departure and arrival. On one host, a packet passes several
/// interfaces (veth, a bridge, a VLAN, macvlan, the network card) before it leaves or after it arrives.
///
/// Rules for chains: consecutive observations form one chain if they are at most 100 ms apart and the hop count does not increase.
/// - If an interface sees the packet again in the same direction, a new chain begins, because the packet is a retransmission.
/// - Exception: interfaces of different network namespaces may have the same name. Therefore an observation in the same direction
///   continues the chain if no thread sent or received the packet there, and the packet's kernel memory (skb) arrived at an interface with
///   another name less than 1 ms before.
/// - If interfaces are not recorded, an arrival continues a departure; an observation in the same direction continues the chain if it is
///   in the same kernel memory.
/// - An observation of a multicast packet, which the kernel copies for several interfaces, continues the chain only in the same kernel
///   memory and direction.
///
/// A chain whose first and last observations are departures becomes one departure: at the time of the last observation, with the
/// thread that sent the packet at the first. A chain whose first and last observations are arrivals becomes one arrival: at the time of the
/// first observation, with the thread that was woken at the last. Any other chain becomes two ends, because the packet stays on its host or
/// is forwarded.
///
/// Appends to `ends` in time order. Requires: `ofHost` is in time order.
void joinInterfaces(std::span<const PacketObservation> ofHost, const FlowKey& flow, std::vector<PacketObservation>& ends);

} // namespace helio::packets
