#pragma once

#include "core/formats/ctf/shape/event_header.h"

#include <unordered_map>

namespace helio::ctf {

/// Returns the name of the clock of a stream's events; empty if they have no times.
std::string clockOf(const StreamClass& stream);

/// Layouts and fields of an event class that the reader needs to step over its events.
struct EventClassLayout {
    EventTypeId type{};
    const StructLayout* payload = nullptr; ///< nullptr if events have no payload.
    const StructLayout* context = nullptr; ///< Layout of the event's own context; nullptr if there is none.
    bool hasOtherFields = false; ///< True if `cpu` is valid or `stamps` is not empty.
    FieldLocator cpu; ///< Field with the CPU's number; invalid if there is none or the packet context has one.
    std::vector<std::pair<FieldLocator, unsigned>> stamps; ///< Time stamp fields outside of the header, with their size in bits.
};

/// Entry of the table of event classes. It suffices for events of a header, the stream's context and a payload of constant size.
struct EventClassEntry {
    std::uint64_t payloadBits = CutOff; ///< Size of the payload in bits; CutOff if `shape` must be used to find it.
    std::uint32_t payloadMask = 0; ///< Alignment of the payload in bits, minus 1.
    EventTypeId type{};
    const EventClassLayout* shape = nullptr; ///< nullptr if there is no such event class.
};

/// Offsets in events of a class with LTTng's short header and no section of variable size.
struct FixedEventLayout {
    std::uint32_t contextOffset = 0; ///< Bits from the event's begin to the stream's context.
    std::uint32_t payloadOffset = 0; ///< Bits from the event's begin to the payload.
    static constexpr std::uint32_t None = UINT32_MAX;
    std::uint32_t bits = None; ///< Size of the event in bits; None if the event class is of another form.
    EventTypeId type{};
};

/// A stream class, compiled. Immutable. Ownership: the EventTypes that its event types were added to must outlive it.
class StreamClassLayout {
public:
    /// Adds the class's event types to `types`.
    StreamClassLayout(const Metadata& metadata, const StreamClass& stream, EventTypes& types);
    StreamClassLayout(StreamClassLayout&&) = default;

    const EventClassEntry& find(std::uint64_t eventId) const { return eventId < m_dense.size() ? m_dense[eventId] : findSparse(eventId); }

    /// FixedEventLayout of each event class, by id. Empty unless the header has a ShortForm and the clock counts ns. Its size is at most
    /// ShortForm::escape.
    std::span<const FixedEventLayout> quick() const { return m_quick; }

    /// Describes the first layout that is too deep or too large to be used; empty if all layouts can be used.
    const std::string& fault() const { return m_fault; }

    std::uint64_t id = 0;
    const StructLayout* packetHeader = nullptr; ///< nullptr if there is none.
    const StructLayout* packetContext = nullptr; ///< nullptr if there is none.
    const StructLayout* streamContext = nullptr; ///< nullptr if there is none.
    EventHeader header;
    std::string clockName; ///< Name of the clock of the stream's events; empty if they have no times.
    ClockConversion clock;

    struct PacketFields {
        FieldLocator magic, uuid, streamId, streamInstance;
        FieldLocator contentSize, packetSize, begin, end, discarded, sequence, cpu;
        unsigned beginBits = 64;
        unsigned endBits = 64;
        unsigned discardedBits = 64;
        bool isTimed = false; ///< True if `begin` and `end` are values of the stream's clock.
    };
    PacketFields packet;

private:
    const EventClassEntry& findSparse(std::uint64_t eventId) const;
    void bindByName();
    void bindByRole(const FieldRoles& headerRoles, const FieldRoles& contextRoles);
    void addEvent(const EventClass& event, EventTypes& types);
    void check(const EventType& type);
    void makeFixedLayouts();

    std::unique_ptr<EventType> m_frame; ///< Event type with the sections that all event types of the stream share.
    std::vector<std::unique_ptr<const EventClassLayout>> m_events;
    std::vector<EventClassEntry> m_dense; ///< Event classes by id, up to a size in proportion to their number.
    std::unordered_map<std::uint64_t, EventClassEntry> m_sparse; ///< Event classes with larger ids.
    std::vector<FixedEventLayout> m_quick;
    std::string m_fault;
};

} // namespace helio::ctf
