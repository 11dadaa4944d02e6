#pragma once

#include "core/correlators/packets/packet_header.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/struct_layout.h"
#include "core/trace/trace.h"

#include <optional>
#include <string_view>
#include <vector>

namespace helio::packets {

/// Where an event's packet was: on its way out, or come in.
enum class Direction : std::uint8_t { None, Out, In };
/// By the event's name: those of LTTng's kernel tracer and its add-ons (B5).
Direction directionOf(std::string_view event);

/// Where the members of a structure of constant layout are.
class StructFields {
public:
    StructFields() = default;
    /// At the path in the payload. Not there: the event has no such structure.
    StructFields(const EventType& type, std::string_view path, std::initializer_list<std::string_view> members);

    bool isThere() const { return m_locator.isValid(); }
    /// Where it begins in this event; CutOff: it has another one.
    std::uint64_t bit(const FieldScope& scope) const { return m_locator.bit(scope); }
    /// The n-th member, 0 where it is not there. Requires: `bit` is no CutOff.
    std::uint64_t number(const PacketBytes& packet, std::uint64_t bit, std::size_t member) const;
    /// The numbers of an array as bytes in the network's order: IPv4's of 8 bits, IPv6's of 16.
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
    /// Nothing: it does not say what the packet is, or of what protocol.
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
    FieldRef m_sequence; ///< Of events that have TCP's fields side by side.
    FieldRef m_acknowledgement;
    FieldRef m_flags;
};

} // namespace helio::packets
