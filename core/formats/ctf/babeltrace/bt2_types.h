#pragma once

#include "core/formats/ctf/babeltrace/bt2_fields.h"

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace helio::bt2 {

/// Number of an event class that is the same in every graph over the same trace: stream class and event class.
using ClassKey = std::pair<std::uint64_t, std::uint64_t>;

ClassKey keyOf(const bt_event_class* eventClass);

/// A stream class's and an event class's own hidden numbers, in the order of the event header's members.
struct EventHidden {
    HiddenNumbers packet; ///< Of the packet context, in the packet header.
    HiddenNumbers event; ///< Of all other sections, in the event header.
};

/// The type of one event class; `hidden` gets what its writers need. Parts of the stream are shared by the caller through `like`: a type of
/// the same stream class whose packet context, stream context and packet header are taken over.
EventType makeType(const bt_event_class* eventClass, const EventType* like, EventHidden& hidden, std::uint64_t& unknown);

/// All types of a trace by their keys.
struct TypeTable {
    EventTypes types;
    std::map<ClassKey, EventTypeId> ids;
    std::uint64_t unknownParts = 0;

    void add(const bt_stream_class* streamClass);
};

/// The types of all classes of the stream's trace: the same for each of its streams, and in each graph over the same trace.
TypeTable typesOf(const bt_stream* stream);

/// What a stream's writer needs to know of the classes of its own graph.
class ClassCache {
public:
    explicit ClassCache(TypeTable table)
        : m_table(std::move(table))
    {
    }

    struct Entry {
        std::optional<EventTypeId> type; ///< None: not known when the trace was opened.
        EventHidden hidden;
    };
    const Entry& operator[](const bt_event_class* eventClass);

private:
    TypeTable m_table;
    std::unordered_map<const bt_event_class*, Entry> m_entries;
};

} // namespace helio::bt2
