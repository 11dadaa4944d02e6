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

/// Direction of a packet at the time of its event.
enum class Direction : std::uint8_t { None, Out, In };
/// Returns the direction of the packet that an event records, by the event's name; None if it is no packet event of LTTng's kernel tracer
/// or its add-ons.
Direction directionOf(std::string_view event);

/// Positions of the members of a structure with constant layout.
class StructFields {
public:
    StructFields() = default;
    /// Finds the structure at `path` in the payload. isThere() is false if the event type has no such structure.
    StructFields(const EventType& type, std::string_view path, std::initializer_list<std::string_view> members);

    bool isThere() const { return m_locator.isValid(); }
    /// Bit at which the structure begins in this event; CutOff if this event has another alternative.
    std::uint64_t bit(const FieldScope& scope) const { return m_locator.bit(scope); }
    /// Value of the member with this index; 0 if the structure does not have it. Requires: `bit` is not CutOff.
    std::uint64_t number(const PacketBytes& packet, std::uint64_t bit, std::size_t member) const;
    /// Reads an array member as bytes in network order; elements have 8 bits for IPv4 and 16 bits for IPv6. Returns false if the member is
    /// missing or cut off.
    bool bytes(const PacketBytes& packet, std::uint64_t bit, std::size_t member, std::array<std::uint8_t, 16>& to) const;

private:
    struct Place {
        std::uint64_t bit = CutOff;
        IntegerType type;
        std::uint64_t count = 1;
    };
    FieldLocator m_locator;
    std::vector<Place> m_places;
};

/// Reads the headers of packets from the events of one type.
class HeaderFields {
public:
    HeaderFields() = default;
    explicit HeaderFields(const EventType& type);

    bool isThere() const { return m_isThere; }
    /// Empty if the event does not identify the packet, or not its protocol.
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
    FieldRef m_sequence; ///< Fields of events that have TCP's fields side by side, without header structures.
    FieldRef m_acknowledgement;
    FieldRef m_flags;
};

} // namespace helio::packets
