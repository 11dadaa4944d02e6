#pragma once

#include "core/correlators/packets/matched_ends.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace helio::packets {

/// Finds both ends of TCP packets that were cut on their way (segmentation by the sender's card: one packet leaves, several come in) or
/// joined (by the receiver's card: several leave, one comes in), among the ends without a whole match.
///
/// Two ends belong together if one contains the last byte of the other, both acknowledge the same, the arrival has no more hops to go than
/// the departure, and no other packet from the sending host contains the byte, except packets that came in whole. The bound on the clocks
/// then stays valid: a packet cannot have come in before its byte was sent for the first time, however it was cut or joined; cards join
/// before the event, and cut after it. If the byte was sent twice, it is not known which of the two packets came in: such ends stay
/// unmatched.
///
/// Adds the matches to `ends`, and marks arrivals with bytes that were seen to leave. `all`: the observations of one flow. `loose`:
/// indices in `all` of the observations to match.
///
/// Cost: a sort of the flow's observations.
void matchParts(std::span<const PacketObservation> all, std::span<const std::uint32_t> loose, MatchedEnds& ends,
                const std::stop_token& stop);

} // namespace helio::packets
