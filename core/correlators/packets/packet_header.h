#pragma once

#include "core/correlation/transmissions.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string>

namespace helio::packets {

enum class Protocol : std::uint8_t { Unknown, Icmp = 1, Tcp = 6, Udp = 17, IcmpV6 = 58 }; ///< As IP numbers them.

/// Who sends to whom.
struct FlowKey {
    /// The version of IP: 4 or 6. 0: addresses are not recorded; `from` and `to` are then sockets, as socketAddress() makes them, or zeros.
    std::uint8_t version = 0;
    std::uint8_t protocol = 0;
    std::uint16_t fromPort = 0;
    std::uint16_t toPort = 0;
    std::array<std::uint8_t, 16> from{};
    std::array<std::uint8_t, 16> to{};
    auto operator<=>(const FlowKey&) const = default;

    FlowKey back() const { return {version, protocol, toPort, fromPort, to, from}; }
};

/// What an event says of a packet: together it is the key by which both its ends are found.
struct PacketHeader {
    FlowKey flow;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0; ///< As in Transmission.
    std::uint32_t headers = 0; ///< Of that: bytes of headers, so that the rest is payload.
    std::uint16_t flags = 0;
    std::uint16_t id = 0; ///< IPv4's: it changes when a packet is sent again.
    std::uint8_t hops = 0; ///< That it may still go: each router leaves one less.
};

/// Identity of a kernel's socket in place of an address: its pointer and the host that it is on.
std::array<std::uint8_t, 16> socketAddress(std::uint64_t pointer, std::uint16_t host);

/// For people. Addresses as RFC 5952 writes them.
Flow textOf(const FlowKey& key);

} // namespace helio::packets
