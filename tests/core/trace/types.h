#pragma once

#include "core/trace/fields/struct_layout.h"

#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

// Functions with short names that make field types and packet bytes, for the tests of core/trace.
namespace helio::types {

inline IntegerType integerType(unsigned bits, bool isSigned = false, ByteOrder order = ByteOrder::Little)
{
    IntegerType type;
    type.bits = static_cast<std::uint8_t>(bits);
    type.isSigned = isSigned;
    type.order = order;
    return type;
}

template <typename Shape> FieldTypePtr make(Shape shape, std::uint32_t alignment)
{
    FieldType type;
    type.alignment = alignment;
    type.shape = std::move(shape);
    return std::make_shared<const FieldType>(std::move(type));
}

inline FieldTypePtr integer(unsigned bits, std::uint32_t alignment = 8, bool isSigned = false, ByteOrder order = ByteOrder::Little)
{
    return make(integerType(bits, isSigned, order), alignment);
}

inline FieldTypePtr character()
{
    IntegerType type = integerType(8, true);
    type.encoding = TextEncoding::Utf8;
    return make(type, 8);
}

inline FieldTypePtr real(unsigned bits, ByteOrder order = ByteOrder::Little)
{
    return make(FloatType{static_cast<std::uint8_t>(bits), order}, 8);
}

inline FieldTypePtr string() { return make(StringType{}, 8); }

inline FieldTypePtr structure(std::vector<Member> members, std::uint32_t alignment = 1)
{
    return make(StructType{std::move(members)}, alignment);
}

inline FieldTypePtr array(FieldTypePtr element, std::uint64_t length) { return make(ArrayType{std::move(element), length}, 1); }

inline FieldTypePtr sequence(FieldTypePtr element, std::vector<std::string> length, Section section = Section::Payload)
{
    return make(SequenceType{std::move(element), {section, std::move(length)}}, 1);
}

inline FieldTypePtr enumeration(IntegerType container, std::vector<EnumRange> ranges, std::uint32_t alignment = 8)
{
    return make(EnumType{std::move(container), std::move(ranges)}, alignment);
}

inline FieldTypePtr variant(FieldTypePtr tagType, std::vector<std::string> tag, std::vector<Member> options,
                            Section section = Section::Payload)
{
    return make(VariantType{{section, std::move(tag)}, std::move(tagType), std::move(options)}, 1);
}

/// Bytes of a packet, built by appending numbers and texts.
class Bytes {
public:
    Bytes& u8(std::initializer_list<unsigned> values)
    {
        for (const unsigned v : values)
            m_bytes.push_back(static_cast<std::byte>(v));
        return *this;
    }
    template <typename T> Bytes& native(T value)
    {
        const std::size_t at = m_bytes.size();
        m_bytes.resize(at + sizeof value);
        std::memcpy(m_bytes.data() + at, &value, sizeof value);
        return *this;
    }
    Bytes& u16(std::uint16_t v) { return native(v); }
    Bytes& u32(std::uint32_t v) { return native(v); }
    Bytes& u64(std::uint64_t v) { return native(v); }
    Bytes& text(const std::string& s) ///< Appends the text with its NUL.
    {
        for (const char c : s)
            m_bytes.push_back(static_cast<std::byte>(c));
        return u8({0});
    }

    std::uint64_t bits() const { return m_bytes.size() * 8; }
    PacketBytes packet() const { return {m_bytes.data(), bits(), 0}; }

private:
    std::vector<std::byte> m_bytes;
};

/// A packet with one event of one type: only its payload, or its payload after a header of `headerBits`.
class OneEvent {
public:
    OneEvent(EventType type, Bytes bytes)
        : m_bytes(std::move(bytes))
    {
        m_type = &m_types[m_types.add(std::move(type))];
        record.type = m_type->id;
    }
    OneEvent(FieldTypePtr payload, Bytes bytes)
        : OneEvent(typeOf(std::move(payload)), std::move(bytes))
    {
    }

    const EventType& type() const { return *m_type; }
    EventView view() const { return {&record, m_type, m_bytes.packet(), 0}; }
    EventView viewCutAt(std::uint64_t bits) const
    {
        EventView event = view();
        event.packet.contentBits = bits;
        return event;
    }

    /// Returns the bit after the payload; CutOff if the payload exceeds the packet.
    std::uint64_t end() const { return end(m_bytes.bits()); }
    std::uint64_t end(std::uint64_t contentBits) const
    {
        const FieldScope scope = scopeOf(viewCutAt(contentBits));
        return m_type->layout(Section::Payload)->skip(scope, scope.start(Section::Payload));
    }

    EventRecord record;

private:
    static EventType typeOf(FieldTypePtr payload)
    {
        EventType type;
        type.name = "event";
        type.payload = std::move(payload);
        return type;
    }

    EventTypes m_types;
    const EventType* m_type = nullptr;
    Bytes m_bytes;
};

} // namespace helio::types
