#pragma once

#include "core/experiment/timeline.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace helio {

/// Departure of a message from a host, or its arrival at a host.
struct MessageEnd {
    std::uint32_t host = 0; ///< Index into Timeline::hosts.
    Timestamp at{};
    TrackRef row{}; ///< Row of the thread that sent or received it, else of the CPU; not valid if both are unknown.
};

struct MessageEnds {
    MessageEnd from;
    MessageEnd to;
    std::string text; ///< The message as text, for example "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100", as far as recorded.
};

/// Returns the ends of a message.
/// Requires: `relation` indexes Timeline::relations, and `message` indexes Transmissions::all of that relation.
/// Cost: little.
MessageEnds endsOf(const Timeline& timeline, std::size_t relation, std::uint32_t message);

} // namespace helio
