#pragma once

#include "core/trace/event.h"

#include <bit>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace helio {

class FieldLocator;

/// Handle to one field of one event type: found once by name, read many times.
///
/// If the field has a constant offset in its section (nearly all fields that state providers read), a read costs one bounds check and one
/// load; otherwise it costs a walk over the section's layout. Copyable and small; valid as long as its trace.
class FieldRef {
public:
    FieldRef() = default;

    /// Finds the field `path` ("next_tid", "header.flags") in the section. The FieldRef is invalid if the type has no such field.
    FieldRef(const EventType& type, Section section, std::string_view path);

    /// Finds the field in the payload, else in the event context, else in the stream context.
    static FieldRef find(const EventType& type, std::string_view path);

    bool isValid() const { return m_kind != Kind::None; }
    bool isText() const { return m_isText; } ///< True for a string, and for an array or sequence of characters.
    /// True if the integer, or the integer type of the enumeration, is signed; false for all other types.
    bool isSigned() const { return m_isSigned; }
    bool isFloat() const { return m_isFloat; }
    const FieldType* type() const { return m_type; }

    /// Value of the integer or enumeration; unsigned 64-bit values keep their bits. nullopt if the field is not an integer, is absent
    /// (another option of a variant is chosen) or is cut off by the packet's end.
    std::optional<std::int64_t> integer(const EventView& event) const
    {
        if (m_kind == Kind::Aligned) {
            const std::uint64_t bit = sectionBit(event) + m_offset;
            if (bit + m_bits <= event.packet.contentBits)
                return load(event.packet.data + bit / 8);
            return {};
        }
        return slowInteger(event);
    }
    std::int64_t integerOr(const EventView& event, std::int64_t fallback) const
    {
        return isValid() ? integer(event).value_or(fallback) : fallback;
    }

    /// Text up to its NUL, as a view of the packet's bytes. Empty if the field is not text or is absent.
    std::string_view text(const EventView& event) const;

    /// Returns the first character if the field is an array of exactly `count` characters at a constant offset; else nullptr. Characters
    /// after a NUL are arbitrary.
    const char* chars(const EventView& event, std::uint64_t count) const
    {
        const std::uint64_t bit = sectionBit(event) + m_offset;
        if (m_kind != Kind::Placed || m_textBytes != count || bit % 8 != 0 || bit + count * 8 > event.packet.contentBits)
            return nullptr;
        return reinterpret_cast<const char*>(event.packet.data) + bit / 8;
    }

    /// Value of an integer or float; nullopt if the field is neither, is absent or is cut off.
    std::optional<double> number(const EventView& event) const;

private:
    enum class Kind : std::uint8_t {
        None,
        Aligned, ///< A field of 8, 16, 32 or 64 bits at a constant byte offset in the payload or stream context, in native byte order.
        Placed, ///< Any other field at a constant offset in payload or stream context (not byte-aligned, or not a machine word).
        Walk, ///< A field without a constant offset, or in another section: found by a walk over the layout.
    };

    std::uint64_t sectionBit(const EventView& event) const
    {
        const EventRecord& r = *event.record;
        return r.headerBit + (m_section == Section::Payload ? r.payloadOffset : r.contextOffset);
    }
    std::int64_t load(const std::byte* at) const
    {
        switch (m_bits) {
        case 8: return m_isSigned ? get<std::int8_t>(at) : get<std::uint8_t>(at);
        case 16: return m_isSigned ? get<std::int16_t>(at) : get<std::uint16_t>(at);
        case 32: return m_isSigned ? std::int64_t{get<std::int32_t>(at)} : std::int64_t{get<std::uint32_t>(at)};
        default: return get<std::int64_t>(at);
        }
    }
    template <typename T> static T get(const std::byte* at)
    {
        T value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    std::optional<std::int64_t> slowInteger(const EventView& event) const;
    std::string_view placedText(const EventView& event) const;

    Kind m_kind = Kind::None;
    Section m_section = Section::Payload;
    std::uint8_t m_bits = 0;
    bool m_isSigned = false;
    bool m_isText = false;
    bool m_isFloat = false;
    std::uint64_t m_offset = 0; ///< Offset in bits from the section's start; for Aligned and Placed.
    std::uint64_t m_textBytes = 0; ///< Maximum length of a text in bytes, NoLimit for a NUL-terminated string. Used only for Kind::Placed.
    const FieldType* m_type = nullptr;
    std::shared_ptr<const FieldLocator> m_locator; ///< Locator of the field; used for Walk and for text.
};

// The name of a field differs between tracers, and between versions of a tracer. These functions return the first field of `names` that the
// event type has, or an invalid FieldRef if it has none of them. Empty names are skipped.

inline FieldRef fieldIn(const EventType& type, Section section, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        if (FieldRef field = name.empty() ? FieldRef() : FieldRef(type, section, name); field.isValid())
            return field;
    return {};
}

inline FieldRef payloadField(const EventType& type, std::initializer_list<std::string_view> names)
{
    return fieldIn(type, Section::Payload, names);
}

/// Finds a field in the event context, else in the stream context.
inline FieldRef contextField(const EventType& type, std::initializer_list<std::string_view> names)
{
    FieldRef field = fieldIn(type, Section::EventContext, names);
    return field.isValid() ? field : fieldIn(type, Section::StreamContext, names);
}

} // namespace helio
