#pragma once

#include "core/correlation/transmissions.h"
#include "core/correlators/packets/packet_reading.h"

#include <functional>
#include <stop_token>

namespace helio::packets {

/// Finds both ends of each packet: its departure and its arrival. Two observations are the ends of one whole packet only if all recorded
/// fields are equal: flow (addresses and ports, if recorded), sequence and acknowledgement numbers, length, flags and IP identification.
///
/// Steps:
/// - Observations of one packet on successive interfaces of one host are joined (interface_chains.h).
/// - A packet that stays on its host, on a loopback interface or between namespaces, gets both ends on that host.
/// - Of a packet between two hosts, a departure and an arrival with equal hop limits are matched. If several departures or arrivals qualify
/// (a retransmission), the packet is ambiguous.
/// - A departure is matched with an arrival that has a lower hop limit, because routers without traces may lie between the hosts.
/// - Parts of TCP packets are matched (packet_parts.h).
///
/// `hostOf`: returns the host of a trace.
/// Cost: a sort of the observations, about 500 ns each.
Transmissions matchPackets(PacketObservations observations, const std::function<std::uint32_t(std::uint32_t)>& hostOf,
                           const std::stop_token& stop);

} // namespace helio::packets
