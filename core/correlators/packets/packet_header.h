#pragma once

#include "core/correlation/transmissions.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/struct_layout.h"
#include "core/trace/trace.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio::packets {

enum class Protocol : std::uint8_t { Unknown, Icmp = 1, Tcp = 6, Udp = 17, IcmpV6 = 58 }; ///< IP protocol numbers.

/// Addresses, ports and protocol of packets in one direction. Key of a flow.
struct FlowKey {
    /// IP version: 4 or 6. 0 if addresses are not recorded; `from` and `to` are then results of socketAddress(), or zero if the sockets are
    /// unknown.
    std::uint8_t version = 0;
    std::uint8_t protocol = 0; ///< IP protocol number of the packets; see Protocol.
    std::uint16_t fromPort = 0;
    std::uint16_t toPort = 0;
    std::array<std::uint8_t, 16> from{};
    std::array<std::uint8_t, 16> to{};
    auto operator<=>(const FlowKey&) const = default;

    /// Returns the key of the flow in the opposite direction.
    FlowKey back() const { return {version, protocol, toPort, fromPort, to, from}; }
};

/// Header fields of a packet, as recorded in an event. The fields together identify the packet, so that its departure and its arrival can
/// be matched.
struct PacketHeader {
    FlowKey flow;
    std::uint32_t sequence = 0; ///< TCP sequence number of the packet.
    std::uint32_t acknowledgement = 0; ///< TCP acknowledgement number of the packet.
    std::uint32_t length = 0; ///< Size in bytes including the headers of the network layer; 0 if not recorded.
    std::uint32_t headers = 0; ///< Size of the headers in bytes; the rest of `length` is payload.
    std::uint16_t flags = 0; ///< TCP: flags (TcpFlag). ICMP: type in the high byte, code in the low byte.
    std::uint16_t id = 0; ///< IPv4 identification; a retransmission has a new value.
    std::uint8_t hops = 0; ///< Remaining hops (TTL or hop limit); each router decrements the value.
};

/// Returns a substitute for an address that was not recorded. It is made from the number of the host and the kernel address of the socket.
std::array<std::uint8_t, 16> socketAddress(std::uint64_t pointer, std::uint16_t host);

/// Returns the flow as text for users, with addresses in the format of RFC 5952.
Flow textOf(const FlowKey& key);

/// Direction of a packet, seen from the host that recorded the event.
enum class Direction : std::uint8_t { None, Out, In };
/// Returns the direction of the packet that an event records, according to the event's name; None if the name is not of a packet event of
/// LTTng's kernel tracer or its add-ons.
Direction directionOf(std::string_view event);

/// Reads members of a structure whose layout is the same in all events of a type.
class StructFields {
public:
    StructFields() = default;
    /// Finds the structure at `path` in the payload of the event type. isThere() returns false if the type has no such structure.
    StructFields(const EventType& type, std::string_view path, std::initializer_list<std::string_view> members);

    bool isThere() const { return m_locator.isValid(); }
    /// Returns the bit offset of the structure in this event; CutOff if the event contains another alternative of the variant.
    std::uint64_t bit(const FieldScope& scope) const { return m_locator.bit(scope); }
    /// Returns the value of the member with index `member` in the constructor's list; 0 if the structure lacks the member. Requires: `bit`
    /// is not CutOff.
    std::uint64_t number(const PacketBytes& packet, std::uint64_t bit, std::size_t member) const;
    /// Reads an array member into `to`, as bytes in network order. Elements have 8 bits for IPv4 and 16 bits for IPv6. Returns false if the
    /// member is missing or cut off.
    bool bytes(const PacketBytes& packet, std::uint64_t bit, std::size_t member, std::array<std::uint8_t, 16>& to) const;

private:
    struct IntegerPosition {
        std::uint64_t bit = CutOff;
        IntegerType type;
        std::uint64_t count = 1;
    };
    FieldLocator m_locator;
    std::vector<IntegerPosition> m_places;
};

/// Reads packet headers from the events of one type.
class HeaderFields {
public:
    HeaderFields() = default;
    explicit HeaderFields(const EventType& type);

    bool isThere() const { return m_isThere; }
    /// Returns the header of the packet; nullopt if the event lacks the packet's identification or its protocol.
    std::optional<PacketHeader> read(const EventView& event) const;

private:
    struct Transport {
        StructFields tcp;
        StructFields udp;
        StructFields icmp;
    };
    bool readTransport(const Transport& transport, const EventView& event, const FieldScope& scope, PacketHeader& header) const;
    bool readV4(const EventView& event, const FieldScope& scope, PacketHeader& header) const;
    bool readV6(const EventView& event, const FieldScope& scope, PacketHeader& header) const;
    bool readFlat(const EventView& event, PacketHeader& header) const;

    bool m_isThere = false;
    StructFields m_v4;
    StructFields m_v6;
    Transport m_overV4;
    Transport m_overV6;
    FieldRef m_sequence; ///< Field of TCP's sequence number in events that record the header fields without header structures.
    FieldRef m_acknowledgement;
    FieldRef m_flags;
};

} // namespace helio::packets
