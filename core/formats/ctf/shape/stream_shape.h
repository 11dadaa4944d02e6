#pragma once

#include "core/formats/ctf/shape/event_header.h"

#include <unordered_map>

namespace helio::ctf {

/// The clock of a stream's events; empty: they have no times.
std::string clockOf(const StreamClass& stream);

/// What the reader needs of an event class to step over its events.
struct EventShape {
    EventTypeId type{};
    const StructLayout* payload = nullptr; ///< Null where there is none.
    const StructLayout* context = nullptr; ///< The event's own.
    bool hasOtherFields = false; ///< One of those below.
    FieldLocator cpu; ///< Where no packet has it.
    std::vector<std::pair<FieldLocator, unsigned>> stamps; ///< Time stamps outside of the header, with their bits.
};

/// The same, for the many events that are a header, the stream's context and a payload of constant size.
struct EventStep {
    std::uint64_t payloadBits = CutOff; ///< CutOff: the shape must be asked.
    std::uint32_t payloadMask = 0; ///< The payload's alignment - 1.
    EventTypeId type{};
    const EventShape* shape = nullptr; ///< Null: there is no such event.
};

/// The same, for those events whose parts always lie at the same places after LTTng's short header.
struct QuickStep {
    std::uint32_t contextOffset = 0; ///< All in bits from the event's begin.
    std::uint32_t payloadOffset = 0;
    static constexpr std::uint32_t None = UINT32_MAX;
    std::uint32_t bits = None; ///< None: not such an event.
    EventTypeId type{};
};

/// A stream class, compiled. Immutable; lives no longer than the EventTypes its events were added to.
class StreamShape {
public:
    /// Adds the class's event types to `types`.
    StreamShape(const Metadata& metadata, const StreamClass& stream, EventTypes& types);
    StreamShape(StreamShape&&) = default;

    const EventStep& find(std::uint64_t eventId) const { return eventId < m_dense.size() ? m_dense[eventId] : findSparse(eventId); }

    /// By id; empty where the header or the clock (whose values must be ns) do not allow it, and never as long as the short header's
    /// escape.
    std::span<const QuickStep> quick() const { return m_quick; }

    /// The first layout that is too deep or too large to be used; empty where all can.
    const std::string& fault() const { return m_fault; }

    std::uint64_t id = 0;
    const StructLayout* packetHeader = nullptr; ///< Null where there is none.
    const StructLayout* packetContext = nullptr;
    const StructLayout* streamContext = nullptr;
    EventHeader header;
    std::string clockName; ///< Empty: its events have no time.
    ClockConversion clock;

    struct PacketFields {
        FieldLocator magic, uuid, streamId, streamInstance;
        FieldLocator contentSize, packetSize, begin, end, discarded, sequence, cpu;
        unsigned beginBits = 64;
        unsigned endBits = 64;
        unsigned discardedBits = 64;
        bool isTimed = false; ///< begin and end are of the stream's clock.
    };
    PacketFields packet;

private:
    const EventStep& findSparse(std::uint64_t eventId) const;
    void bindByName();
    void bindByRole(const FieldRoles& headerRoles, const FieldRoles& contextRoles);
    void addEvent(const EventClass& event, EventTypes& types);
    void check(const EventType& type);
    void makeQuick();

    std::unique_ptr<EventType> m_frame; ///< An event type with nothing of its own.
    std::vector<std::unique_ptr<const EventShape>> m_events;
    std::vector<EventStep> m_dense; ///< By id.
    std::unordered_map<std::uint64_t, EventStep> m_sparse;
    std::vector<QuickStep> m_quick;
    std::string m_fault;
};

} // namespace helio::ctf
