#pragma once

#include "core/correlators/packets/packet_header.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/struct_layout.h"
#include "core/trace/trace.h"

#include <optional>
#include <string_view>
#include <vector>

namespace helio::packets {

/// Direction of a packet at the time of its event.
enum class Direction : std::uint8_t { None, Out, In };
/// Direction by the name of the event: events of LTTng's kernel tracer and its add-ons (B5). None for all other events.
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
