#pragma once

#include "core/correlators/packets/matched_ends.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace helio::packets {

/// Matches departures and arrivals of TCP packets that were split on their way (segmentation by the sender's network card: one departure,
/// several arrivals) or merged (by the receiver's card: several departures, one arrival). Considers only ends without a match as a whole
/// packet.
///
/// Two ends match if all of the following holds:
/// - One end contains the last byte of the other.
/// - Both have the same acknowledgement number.
/// - The arrival has no more remaining hops than the departure.
/// - No other packet from the sending host contains that byte, except packets that arrived whole. If the byte was sent twice, it is unknown
///   which packet arrived, and the ends stay unmatched.
///
/// Matches of parts bound the clocks like matches of whole packets: a packet cannot arrive before its byte was sent for the first time,
/// because cards merge packets before the event is recorded, and split packets after it is recorded.
///
/// Adds the matches to `ends`, and marks arrivals whose bytes a recorded departure contains (MatchedEnds::setDepartureSeen()). `all`: the
/// observations of one flow. `loose`: indices in `all` of the observations to match.
///
/// Cost: a sort of the flow's observations.
void matchParts(std::span<const PacketObservation> all, std::span<const std::uint32_t> loose, MatchedEnds& ends,
                const std::stop_token& stop);

} // namespace helio::packets
