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
/// - Exception: interfaces of different network namespaces may have the same name. A packet without a sending thread that arrived elsewhere
///   in the same kernel memory less than 1 ms before therefore continues the chain.
/// - If interfaces are not recorded, a departure is continued by an arrival, or by an observation in the same memory and direction.
/// - Multicast packets, which the kernel copies for several interfaces, continue only in the same memory and direction.
///
/// A chain whose first and last observations are departures becomes one departure: at the time of the last observation, with the
/// thread that sent the packet at the first. A chain whose first and last observations are arrivals becomes one arrival: at the time of the
/// first observation, with the thread that was woken at the last. Any other chain becomes two ends, because the packet stays on its host or
/// is forwarded.
///
/// Appends to `ends` in time order. Requires: `ofHost` is in time order.
void joinInterfaces(std::span<const PacketObservation> ofHost, const FlowKey& flow, std::vector<PacketObservation>& ends);

} // namespace helio::packets
