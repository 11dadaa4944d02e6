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

// Translates fields of libbabeltrace2 into field types and packed bytes. Integers are stored in the smallest machine word that holds them,
// in native byte order and byte-aligned; strings are NUL-terminated; members follow each other without padding. The field types describe
// this format exactly, so that code that reads the fields of a mapped packet also reads these bytes.

namespace helio::bt2 {

/// Lengths and tags that lie in sections which the library does not expose (packet and event headers). Each gets a hidden 64-bit member in
/// the packet or event header. Its value is the same for a whole event, at any depth of the field that uses it.
struct HiddenMembers {
    std::vector<const bt_field_class*> users; ///< Field classes with a hidden length or tag; the n-th one uses the n-th hidden member.

    /// Adds a hidden member to the header `section` and returns its path.
    FieldPath add(const bt_field_class* user, Section section);

    /// Returns the structure of the hidden members; nullptr if there are none.
    FieldTypePtr type() const;
};

/// The library's field classes for the sections of one event class; nullptr for a section that does not exist.
struct SectionClasses {
    const bt_field_class* packetContext = nullptr;
    const bt_field_class* streamContext = nullptr;
    const bt_field_class* eventContext = nullptr;
    const bt_field_class* payload = nullptr;

    explicit SectionClasses(const bt_stream_class* streamClass, const bt_event_class* eventClass = nullptr);
    const bt_field_class* operator[](Section section) const;
};

/// Returns the type of a section; nullptr if the section does not exist. `hidden` collects the lengths and tags that the library does not
/// expose: as members of the packet header for the packet context, and of the event header for all other sections. Field classes of later
/// versions of the library become empty structures and are counted in `unknown`.
FieldTypePtr translate(const SectionClasses& classes, Section section, HiddenMembers& hidden, std::uint64_t& unknown);

/// Appends fields to a buffer.
class FieldWriter {
public:
    explicit FieldWriter(std::vector<std::byte>& bytes)
        : m_bytes(bytes)
    {
    }

    /// Appends the hidden members. They are 0 until the fields that use them are written.
    void reserve(const HiddenMembers& hidden);

    /// Appends the field; nothing if it is nullptr.
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

/// Cache of the event types and the hidden lengths and tags for the event classes of one graph; used to write a stream's events.
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
