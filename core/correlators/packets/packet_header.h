#pragma once

#include "core/correlation/transmissions.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string>

namespace helio::packets {

enum class Protocol : std::uint8_t { Unknown, Icmp = 1, Tcp = 6, Udp = 17, IcmpV6 = 58 }; ///< Protocol numbers of IP.

/// Sender and receiver of packets: the key of a flow.
struct FlowKey {
    /// Version of IP: 4 or 6. 0 if addresses are not recorded: `from` and `to` are then results of socketAddress(), or zero if unknown.
    std::uint8_t version = 0;
    std::uint8_t protocol = 0; ///< Protocol number of IP; see Protocol.
    std::uint16_t fromPort = 0;
    std::uint16_t toPort = 0;
    std::array<std::uint8_t, 16> from{};
    std::array<std::uint8_t, 16> to{};
    auto operator<=>(const FlowKey&) const = default;

    /// Returns the key of the opposite direction.
    FlowKey back() const { return {version, protocol, toPort, fromPort, to, from}; }
};

/// The fields of an event that identify a packet: together they are the key by which both its ends are found.
struct PacketHeader {
    FlowKey flow;
    std::uint32_t sequence = 0; ///< TCP: sequence number.
    std::uint32_t acknowledgement = 0; ///< TCP: acknowledgement number.
    std::uint32_t length = 0; ///< Bytes including the headers of the network layer; 0 if not recorded.
    std::uint32_t headers = 0; ///< Bytes of headers; the rest of `length` is payload.
    std::uint16_t flags = 0; ///< TCP: flags (TcpFlag). ICMP: type in the high byte, code in the low byte.
    std::uint16_t id = 0; ///< Identification of IPv4; it changes when a packet is sent again.
    std::uint8_t hops = 0; ///< Hops that the packet may still go (TTL, hop limit): each router takes one off.
};

/// Identifies a kernel's socket in place of an address: by its pointer and the host that it is on.
std::array<std::uint8_t, 16> socketAddress(std::uint64_t pointer, std::uint16_t host);

/// The flow as text for users. Addresses are written as in RFC 5952.
Flow textOf(const FlowKey& key);

} // namespace helio::packets
