#pragma once

#include "core/experiment/timeline.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace helio {

/// Where a message left a host, or reached one.
struct MessageEnd {
    std::uint32_t host = 0; ///< Index in Timeline::hosts.
    Timestamp at{};
    TrackRef row{}; ///< The thread whose message it was, else the CPU. Not valid: neither is known.
};

struct MessageEnds {
    MessageEnd from;
    MessageEnd to;
    std::string text; ///< "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100", as far as recorded.
};

/// Of a message, by its relation's place in Timeline::relations and its own among that one's. Cost: little.
/// Requires: there is such a message.
MessageEnds endsOf(const Timeline& timeline, std::size_t relation, std::uint32_t message);

} // namespace helio
