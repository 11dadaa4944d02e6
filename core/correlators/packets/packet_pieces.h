#pragma once

#include "core/correlators/packets/matched_ends.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace helio::packets {

/// Finds both ends of TCP packets that were cut on their way (segmentation by the sender's card: one leaves, several come in) or joined (by
/// the receiver's: several leave, one comes in), among the ends that no whole packet has.
///
/// Two belong together where one holds the last byte of the other, acknowledges the same and came as far, and where no other packet that
/// left the host holds that byte, but for those that came in as they are. Then the bound that clocks follow from stays valid: what comes in
/// with a byte cannot have come in before the byte was sent for the first time, however it was cut or joined; cards join before the event,
/// and cut after it. Where the byte was sent twice, nobody knows which of the two came in: these are left alone.
///
/// Adds to the ends' matches, and says which of what came in has bytes that were seen to leave. `all` are the sightings of one flow,
/// `loose` those of them that are to be matched. Cost: a sort of the flow's sightings.
void matchPieces(std::span<const Sighting> all, std::span<const std::uint32_t> loose, MatchedEnds& ends, const std::stop_token& stop);

} // namespace helio::packets
