#pragma once

#include "core/formats/ctf/recording/packet_reader.h"

#include <optional>
#include <span>

namespace helio::ctf {

/// New values for the header and context of a packet; nullopt to keep the recorded value.
struct PacketHeaderValues {
    std::optional<std::uint64_t> contentBits;
    std::optional<std::uint64_t> packetBits;
    std::optional<std::uint64_t> begin;
    std::optional<std::uint64_t> end;
    std::optional<std::uint64_t> discarded;
    bool isEmpty() const { return !contentBits && !packetBits && !begin && !end && !discarded; }
};

/// Replaces values in the bytes of a packet's header and context. Fields that the packet does not have are left out. Times keep their
/// lowest bits if the field is smaller than 64 bits. Errors: Unsupported if a field is too small for a size.
Status setValues(std::span<std::byte> head, const StreamClassLayout& shape, const PacketDescription& packet,
                 const PacketHeaderValues& values);

} // namespace helio::ctf
