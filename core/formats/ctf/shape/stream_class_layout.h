#pragma once

#include "core/formats/ctf/shape/event_header.h"

#include <unordered_map>

namespace helio::ctf {

/// Returns the name of the clock of a stream's events; empty if the events have no times.
std::string clockOf(const StreamClass& stream);

/// Layouts and fields of an event class that the reader needs to skip or read its events.
struct EventClassLayout {
    EventTypeId type{};
    const StructLayout* payload = nullptr; ///< Layout of the event payload; nullptr if events have no payload.
    const StructLayout* context = nullptr; ///< Layout of the event's own context; nullptr if there is none.
    bool hasOtherFields = false; ///< True if the reader must read `cpu` or `stamps` of each event, which is slower.
    FieldLocator cpu; ///< Field with the CPU number; invalid if there is none or if the packet context contains the CPU number.
    std::vector<std::pair<FieldLocator, unsigned>> stamps; ///< Time stamp fields outside of the header, with their size in bits.
};

/// Entry of the table of event classes. It is sufficient for events that consist of a header, the stream's context and a payload of
/// constant size.
struct EventClassEntry {
    std::uint64_t payloadBits = CutOff; ///< Size of the payload in bits; CutOff if the size must be computed from `shape`.
    std::uint32_t payloadMask = 0; ///< Alignment of the payload in bits, minus 1.
    EventTypeId type{};
    const EventClassLayout* shape = nullptr; ///< Layout of the event class; nullptr if the event class does not exist.
};

/// Offsets of the sections of an event that has LTTng's short header and only sections of constant size.
struct FixedEventLayout {
    std::uint32_t contextOffset = 0; ///< Offset in bits from the start of the event to the stream's context.
    std::uint32_t payloadOffset = 0; ///< Offset in bits from the start of the event to the payload.
    static constexpr std::uint32_t None = UINT32_MAX;
    std::uint32_t bits = None; ///< Size of the event in bits; None if events of the class have no fixed layout.
    EventTypeId type{};
};

/// A stream class, prepared for fast reading. Immutable.
/// Ownership: the EventTypes to which its event types were added must outlive it.
class StreamClassLayout {
public:
    /// Makes the layouts of a stream class and adds its event types to `types`.
    StreamClassLayout(const Metadata& metadata, const StreamClass& stream, EventTypes& types);
    StreamClassLayout(StreamClassLayout&&) = default;

    const EventClassEntry& find(std::uint64_t eventId) const { return eventId < m_dense.size() ? m_dense[eventId] : findSparse(eventId); }

    /// Returns the fixed layouts (constant offsets) of the event classes, indexed by event class id. Empty unless the header has a
    /// ShortForm and the clock counts ns. Ids from ShortForm::escape on are left out, because a short header cannot contain them.
    std::span<const FixedEventLayout> quick() const { return m_quick; }

    /// Returns a description of the first layout that is too deep or too large to be used; empty if all layouts are usable.
    const std::string& fault() const { return m_fault; }

    std::uint64_t id = 0;
    const StructLayout* packetHeader = nullptr; ///< Layout of the packet header; nullptr if there is none.
    const StructLayout* packetContext = nullptr; ///< Layout of the packet context; nullptr if there is none.
    const StructLayout* streamContext = nullptr; ///< Layout of the stream's event context; nullptr if there is none.
    EventHeader header;
    std::string clockName; ///< Name of the clock of the stream's events; empty if the events have no times.
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

    std::unique_ptr<EventType> m_frame; ///< Event type that contains the sections shared by all event types of the stream.
    std::vector<std::unique_ptr<const EventClassLayout>> m_events;
    /// Event classes with small ids, indexed by id. The size is limited: at most proportional to the number of event classes.
    std::vector<EventClassEntry> m_dense;
    std::unordered_map<std::uint64_t, EventClassEntry> m_sparse; ///< Event classes with larger ids, keyed by id.
    std::vector<FixedEventLayout> m_quick;
    std::string m_fault;
};

} // namespace helio::ctf
