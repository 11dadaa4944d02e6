#pragma once

#include "core/query/traffic/connections.h"
#include "core/store/track_ref.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// One packet of a connection, on the experiment's clock.
struct ConnectionPacket {
    std::optional<Timestamp> sent; ///< Nothing: it was not seen to leave.
    std::optional<Timestamp> received; ///< When the last of it came in; nothing: nobody saw that.
    TrackRef from; ///< The row of the thread that sent it, and of the one that it woke; not valid: not known.
    TrackRef to;
    std::optional<std::uint32_t> message; ///< Its way's place in Transmissions::all; nothing: an end is not known.
    std::string text; ///< "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100 again"

    /// The end that was seen first.
    Timestamp at() const { return sent ? *sent : *received; }
    TrackRef row() const { return sent && from.isValid() ? from : to; }
};

/// Those of one connection, by at(); none where the timeline does not have it. Cost: some 20 ns a packet of the experiment, and 1 us each
/// of its own.
std::vector<ConnectionPacket> packetsOf(const Timeline& timeline, const ConnectionFacts& connection, std::stop_token stop = {});

} // namespace helio
