#pragma once

#include "core/correlators/packets/packet_reading.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio::packets {

/// Finds flows whose addresses or ports are translated on the way (NAT, masquerading, as for containers), and gives their sightings the
/// flow that whoever opened the connection knows. Returns by flow the flow that its next translation makes of it on the way to the other
/// end; NoFlow if it is not translated. The vector has an element for each flow that the sightings have after the call; flows that are
/// added later are not translated.
///
/// Packets of two flows are the same where all else that events say of them is: numbers of sequence and acknowledgement, length, flags and
/// IP id. First each host is looked at alone, for packets that it passed on from one interface to another: with one hop less to go or in
/// the same memory, and for protocols without sequence numbers both. Then hosts are compared, for packets of TCP that one flow has on some
/// of them and the other flow on the rest. Two flows belong together only where no other flow has packets in common with either, and where
/// they have three packets in common, both directions counted, or two in the same memory.
///
/// Requires: the hosts of the sightings are known. Adds to the flows those of the other direction. Cost: a sort of the sightings.
std::vector<std::uint32_t> joinTranslated(Sightings& sightings, const std::stop_token& stop);

} // namespace helio::packets
