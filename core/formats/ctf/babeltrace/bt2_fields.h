#pragma once

#include "core/trace/fields/event_type.h"

#include <babeltrace2/babeltrace.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Fields of libbabeltrace2 as bytes of our own: every integer in the next larger machine word, native byte order, byte-aligned,
// strings NUL-terminated, parts one after the other without padding. The field types say exactly this, so that everything that reads
// fields of a mapped packet reads these too.

namespace helio::bt2 {

/// Lengths and tags that lie in parts of the recording the library does not show (packet and event headers). Of each the
/// section before gets a hidden 64-bit member: the same for a whole event, wherever its user is nested.
struct HiddenNumbers {
    std::vector<const bt_field_class*> users; ///< The n-th member is the n-th user's number.

    FieldPath add(const bt_field_class* user, Section section);
    FieldTypePtr type() const; ///< Null where there are none.
};

/// The library's classes of the sections of one kind of event; null where there is none.
struct SectionClasses {
    const bt_field_class* packetContext = nullptr;
    const bt_field_class* streamContext = nullptr;
    const bt_field_class* eventContext = nullptr;
    const bt_field_class* payload = nullptr;

    explicit SectionClasses(const bt_stream_class* streamClass, const bt_event_class* eventClass = nullptr);
    const bt_field_class* operator[](Section section) const;
};

/// The section's type; null where it has none. `hidden` collects what it cannot refer to: members of the packet header for the packet
/// context, of the event header for all others. Parts that this reader does not know (of later versions of the library) become empty
/// structures and are counted in `unknown`.
FieldTypePtr translate(const SectionClasses& classes, Section section, HiddenNumbers& hidden, std::uint64_t& unknown);

/// Appends fields to a buffer.
class FieldWriter {
public:
    explicit FieldWriter(std::vector<std::byte>& bytes)
        : m_bytes(bytes)
    {
    }

    /// The hidden members, all 0 until their users are written.
    void reserve(const HiddenNumbers& hidden);

    /// Null: nothing.
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
    const HiddenNumbers* m_hidden = nullptr;
    std::size_t m_hiddenAt = 0;
};

} // namespace helio::bt2
