#pragma once

#include "core/formats/ctf/babeltrace/bt2_fields.h"

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace helio::bt2 {

/// Ids of a stream class and of one of its event classes. They are the same in every graph that reads the same trace.
using ClassKey = std::pair<std::uint64_t, std::uint64_t>;

ClassKey keyOf(const bt_event_class* eventClass);

/// Hidden lengths and tags of an event and its packet.
struct HiddenEventMembers {
    HiddenMembers packet; ///< Hidden numbers of the packet context; members of the packet header.
    HiddenMembers event; ///< Hidden numbers of all other sections; members of the event header.
};

/// Makes the event type of an event class, and sets `hidden` for the FieldWriter. `like` is an event type of the same stream class, with
/// which the new type shares packet header, packet context and stream context; nullptr if there is none. Unknown field classes are added
/// to `unknown`.
EventType makeType(const bt_event_class* eventClass, const EventType* like, HiddenEventMembers& hidden, std::uint64_t& unknown);

/// All event types of a trace by their keys.
struct EventTypeIndex {
    EventTypes types;
    std::map<ClassKey, EventTypeId> ids;
    std::uint64_t unknownFieldClasses = 0; ///< Number of field classes that are not known.

    /// Adds the event types of a stream class.
    void add(const bt_stream_class* streamClass);
};

/// Returns the event types of all classes of the stream's trace. Ids are the same for every stream and every graph that reads the same
/// trace.
EventTypeIndex typesOf(const bt_stream* stream);

/// Event types and hidden numbers by the event classes of one graph, for writing a stream's events.
class EventClassCache {
public:
    explicit EventClassCache(EventTypeIndex table)
        : m_table(std::move(table))
    {
    }

    struct Entry {
        std::optional<EventTypeId> type; ///< Empty if the class was not known when the trace was opened.
        HiddenEventMembers hidden;
    };
    const Entry& operator[](const bt_event_class* eventClass);

private:
    EventTypeIndex m_table;
    std::unordered_map<const bt_event_class*, Entry> m_entries;
};

} // namespace helio::bt2
