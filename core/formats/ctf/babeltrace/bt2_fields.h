#pragma once

#include "core/trace/fields/event_type.h"

#include <babeltrace2/babeltrace.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// Translates fields of libbabeltrace2 into field types and packed bytes. Integers are stored byte-aligned in the smallest machine word that
// fits, in native byte order. Strings are NUL-terminated, and members follow each other without padding. The field types describe this
// format exactly. Therefore the code that reads fields from the packets of a mapped trace file can also read these bytes.

namespace helio::bt2 {

/// Hidden members: 64-bit members that Heliograph adds to a packet header or event header. They do not exist in the trace, and no view
/// shows them. Reason: the library does not give access to the fields of these headers, but such a field may be the length of an array or
/// the tag of a variant in another section. A hidden member contains this length or tag. In each header, it has one value, so all
/// elements of nested arrays share the value.
struct HiddenMembers {
    /// Arrays and variants with a hidden member that contains their length or tag. The name of the hidden member for users[n] is the number
    /// n, for example "0".
    std::vector<const bt_field_class*> users;

    /// Adds a hidden member to the packet header or event header (`section`) and returns the member's path. `user`: the array or variant
    /// with the length or tag that the member contains.
    FieldPath add(const bt_field_class* user, Section section);

    /// Returns a structure type with all hidden members; nullptr if there are none.
    FieldTypePtr type() const;
};

/// Field classes of the library for the sections of one event class; nullptr for a section that does not exist.
struct SectionClasses {
    const bt_field_class* packetContext = nullptr;
    const bt_field_class* streamContext = nullptr;
    const bt_field_class* eventContext = nullptr;
    const bt_field_class* payload = nullptr;

    explicit SectionClasses(const bt_stream_class* streamClass, const bt_event_class* eventClass = nullptr);
    const bt_field_class* operator[](Section section) const;
};

/// Returns the type of a section; nullptr if the section does not exist. Lengths and tags that the library does not expose are added to
/// `hidden`: as members of the packet header for the packet context, and of the event header for all other sections. Field classes of later
/// versions of the library become empty structures and are counted in `unknown`.
FieldTypePtr translate(const SectionClasses& classes, Section section, HiddenMembers& hidden, std::uint64_t& unknown);

/// Appends packed fields to a buffer.
class FieldWriter {
public:
    explicit FieldWriter(std::vector<std::byte>& bytes)
        : m_bytes(bytes)
    {
    }

    /// Appends the hidden members with the value 0. When write() then writes an array or variant that has a hidden member, it sets the
    /// value of this member.
    void reserve(const HiddenMembers& hidden);

    /// Appends the bytes of a field; appends nothing if `field` is nullptr.
    void write(const bt_field* field);

private:
    void writeInteger(const bt_field* field, std::uint64_t value);
    void writeText(const char* text, std::uint64_t length);
    void writeMembers(const bt_field* field);
    void writeElements(const bt_field* field);
    void writeOption(const bt_field* field);
    void fillHidden(const bt_field* user, std::uint64_t value);
    template <typename T> void append(T value);

    std::vector<std::byte>& m_bytes;
    const HiddenMembers* m_hidden = nullptr;
    std::size_t m_hiddenAt = 0;
};

/// Ids of a stream class and of one of its event classes. They are equal in all graphs that read the same trace.
using ClassKey = std::pair<std::uint64_t, std::uint64_t>;

ClassKey keyOf(const bt_event_class* eventClass);

/// Lengths and tags that the library does not expose, for the fields of one event type (see HiddenMembers).
struct HiddenEventMembers {
    HiddenMembers packet; ///< Lengths and tags of fields in the packet context; the members are in the packet header.
    /// Lengths and tags of fields in all other sections; the members are in the event header.
    HiddenMembers event;
};

/// Returns the event type of an event class, and sets `hidden` for the FieldWriter. `like`: an event type of the same stream class, or
/// nullptr if there is none yet; the new type shares its packet header, packet context and stream context. Adds the number of unknown field
/// classes to `unknown`.
EventType makeType(const bt_event_class* eventClass, const EventType* like, HiddenEventMembers& hidden, std::uint64_t& unknown);

/// All event types of a trace, and the id of each event type by its ClassKey.
struct EventTypeIndex {
    EventTypes types;
    std::map<ClassKey, EventTypeId> ids;
    std::uint64_t unknownFieldClasses = 0; ///< Number of field classes that this program does not support.

    /// Adds the event types of a stream class.
    void add(const bt_stream_class* streamClass);
};

/// Returns the event types of all classes of the stream's trace. The ids are equal for all streams and all graphs that read the same trace.
EventTypeIndex typesOf(const bt_stream* stream);

/// Cache of the event type of each event class of one graph, with the lengths and tags that the library does not expose (HiddenMembers).
/// Used to write the events of a stream.
class EventClassCache {
public:
    explicit EventClassCache(EventTypeIndex table)
        : m_table(std::move(table))
    {
    }

    struct Entry {
        std::optional<EventTypeId> type; ///< Event type; nullopt if the class was not known when the trace was opened.
        HiddenEventMembers hidden;
    };
    const Entry& operator[](const bt_event_class* eventClass);

private:
    EventTypeIndex m_table;
    std::unordered_map<const bt_event_class*, Entry> m_entries;
};

} // namespace helio::bt2
