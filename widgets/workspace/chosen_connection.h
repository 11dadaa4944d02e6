#pragma once

#include "core/network/connection_packets.h"

#include <optional>

namespace helio {

/// A connection that the user chose for Details, with one of its packets if the user chose one.
struct ChosenConnection {
    ConnectionFacts facts;
    std::optional<ConnectionPacket> packet;
};

} // namespace helio
