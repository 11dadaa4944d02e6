#pragma once

#include "core/network/connection_packets.h"

#include <optional>

namespace helio {

/// What a person chose to know more of: a connection, and maybe one of its packets.
struct ChosenConnection {
    ConnectionFacts facts;
    std::optional<ConnectionPacket> packet;
};

} // namespace helio
