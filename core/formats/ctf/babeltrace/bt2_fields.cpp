#include "core/formats/ctf/babeltrace/bt2_fields.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace helio::bt2 {
namespace {

constexpr ByteOrder Native = std::endian::native == std::endian::little ? ByteOrder::Little : ByteOrder::Big;
constexpr std::uint32_t ByteBits = 8;

bool is(bt_field_class_type type, bt_field_class_type kind) { return bt_field_class_type_is(type, kind); }

FieldTypePtr make(auto shape) { return std::make_shared<const FieldType>(FieldType{ByteBits, std::move(shape)}); }

std::uint8_t wordBits(std::uint64_t bits) { return static_cast<std::uint8_t>(std::bit_ceil(std::clamp<std::uint64_t>(bits, 8, 64))); }

IntegerType integerType(const bt_field_class* fieldClass)
{
    IntegerType type;
    type.bits = wordBits(bt_field_class_integer_get_field_value_range(fieldClass));
    type.isSigned = is(bt_field_class_get_type(fieldClass), BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
    type.order = Native;
    switch (bt_field_class_integer_get_preferred_display_base(fieldClass)) {
    case BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_BINARY: type.base = DisplayBase::Binary; break;
    case BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_OCTAL: type.base = DisplayBase::Octal; break;
    case BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL: type.base = DisplayBase::Hexadecimal; break;
    default: break;
    }
    return type;
}

IntegerType plainInteger(std::uint8_t bits)
{
    IntegerType type;
    type.bits = bits;
    type.order = Native;
    return type;
}

void addRanges(std::vector<EnumRange>& to, const std::string& label, const bt_integer_range_set_unsigned* ranges)
{
    const std::uint64_t count = bt_integer_range_set_get_range_count(bt_integer_range_set_unsigned_as_range_set_const(ranges));
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto* range = bt_integer_range_set_unsigned_borrow_range_by_index_const(ranges, i);
        to.push_back({label, static_cast<std::int64_t>(bt_integer_range_unsigned_get_lower(range)),
                      static_cast<std::int64_t>(bt_integer_range_unsigned_get_upper(range))});
    }
}

void addRanges(std::vector<EnumRange>& to, const std::string& label, const bt_integer_range_set_signed* ranges)
{
    const std::uint64_t count = bt_integer_range_set_get_range_count(bt_integer_range_set_signed_as_range_set_const(ranges));
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto* range = bt_integer_range_set_signed_borrow_range_by_index_const(ranges, i);
        to.push_back({label, bt_integer_range_signed_get_lower(range), bt_integer_range_signed_get_upper(range)});
    }
}

EnumType enumType(const bt_field_class* fieldClass)
{
    EnumType type{integerType(fieldClass), {}};
    const std::uint64_t count = bt_field_class_enumeration_get_mapping_count(fieldClass);
    for (std::uint64_t i = 0; i < count; ++i) {
        if (type.container.isSigned) {
            const auto* mapping = bt_field_class_enumeration_signed_borrow_mapping_by_index_const(fieldClass, i);
            addRanges(type.ranges,
                      bt_field_class_enumeration_mapping_get_label(bt_field_class_enumeration_signed_mapping_as_mapping_const(mapping)),
                      bt_field_class_enumeration_signed_mapping_borrow_ranges_const(mapping));
        } else {
            const auto* mapping = bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(fieldClass, i);
            addRanges(type.ranges,
                      bt_field_class_enumeration_mapping_get_label(bt_field_class_enumeration_unsigned_mapping_as_mapping_const(mapping)),
                      bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(mapping));
        }
    }
    return type;
}

Section sectionOf(bt_field_path_scope scope)
{
    switch (scope) {
    case BT_FIELD_PATH_SCOPE_PACKET_CONTEXT: return Section::PacketContext;
    case BT_FIELD_PATH_SCOPE_EVENT_COMMON_CONTEXT: return Section::StreamContext;
    case BT_FIELD_PATH_SCOPE_EVENT_SPECIFIC_CONTEXT: return Section::EventContext;
    default: return Section::Payload;
    }
}

/// Translates the library's field classes of one section to field types.
class Translator {
public:
    Translator(const SectionClasses& classes, Section section, HiddenMembers& hidden, std::uint64_t& unknown)
        : m_classes(classes)
        , m_hiddenSection(section == Section::PacketContext ? Section::PacketHeader : Section::EventHeader)
        , m_hidden(hidden)
        , m_unknown(unknown)
    {
    }

    FieldTypePtr translate(const bt_field_class* fc) { return translateShape(fc, bt_field_class_get_type(fc)); }

private:
    FieldTypePtr translateShape(const bt_field_class* fc, bt_field_class_type type)
    {
        if (is(type, BT_FIELD_CLASS_TYPE_ENUMERATION))
            return make(enumType(fc));
        if (is(type, BT_FIELD_CLASS_TYPE_INTEGER))
            return make(integerType(fc));
        if (is(type, BT_FIELD_CLASS_TYPE_BOOL))
            return make(plainInteger(8));
        if (is(type, BT_FIELD_CLASS_TYPE_BIT_ARRAY))
            return make(plainInteger(64));
        if (is(type, BT_FIELD_CLASS_TYPE_REAL))
            return make(FloatType{static_cast<std::uint8_t>(type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL ? 32 : 64), Native});
        if (is(type, BT_FIELD_CLASS_TYPE_STRING))
            return make(StringType{});
        if (is(type, BT_FIELD_CLASS_TYPE_STRUCTURE))
            return structure(fc);
        if (is(type, BT_FIELD_CLASS_TYPE_STATIC_ARRAY))
            return make(ArrayType{element(fc), bt_field_class_array_static_get_length(fc)});
        if (is(type, BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY))
            return sequence(fc, type);
        if (is(type, BT_FIELD_CLASS_TYPE_VARIANT))
            return variant(fc, type);
        ++m_unknown;
        return make(StructType{});
    }

    FieldTypePtr element(const bt_field_class* fc) { return translate(bt_field_class_array_borrow_element_field_class_const(fc)); }

    FieldTypePtr structure(const bt_field_class* fc)
    {
        StructType type;
        const std::uint64_t count = bt_field_class_structure_get_member_count(fc);
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto* member = bt_field_class_structure_borrow_member_by_index_const(fc, i);
            type.members.push_back({bt_field_class_structure_member_get_name(member),
                                    translate(bt_field_class_structure_member_borrow_field_class_const(member))});
        }
        return make(std::move(type));
    }

    FieldTypePtr sequence(const bt_field_class* fc, bt_field_class_type type)
    {
        const bt_field_path* path = is(type, BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD)
            ? bt_field_class_array_dynamic_with_length_field_borrow_length_field_path_const(fc)
            : nullptr;
        FieldPath length = path ? named(path) : m_hidden.add(fc, m_hiddenSection);
        return make(SequenceType{element(fc), std::move(length)});
    }

    FieldTypePtr variant(const bt_field_class* fc, bt_field_class_type type)
    {
        const bool isSigned = is(type, BT_FIELD_CLASS_TYPE_VARIANT_WITH_SIGNED_INTEGER_SELECTOR_FIELD);
        const bool isUnsigned = is(type, BT_FIELD_CLASS_TYPE_VARIANT_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD);
        EnumType tag;
        tag.container = plainInteger(64);
        tag.container.isSigned = isSigned;
        VariantType shape;
        shape.tag = isSigned || isUnsigned ? named(bt_field_class_variant_with_selector_field_borrow_selector_field_path_const(fc))
                                           : m_hidden.add(fc, m_hiddenSection);
        const std::uint64_t count = bt_field_class_variant_get_option_count(fc);
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto* option = bt_field_class_variant_borrow_option_by_index_const(fc, i);
            const char* raw = bt_field_class_variant_option_get_name(option);
            const std::string name = raw ? raw : std::to_string(i);
            if (isSigned)
                addRanges(tag.ranges, name,
                          bt_field_class_variant_with_selector_field_integer_signed_option_borrow_ranges_const(
                              bt_field_class_variant_with_selector_field_integer_signed_borrow_option_by_index_const(fc, i)));
            else if (isUnsigned)
                addRanges(tag.ranges, name,
                          bt_field_class_variant_with_selector_field_integer_unsigned_option_borrow_ranges_const(
                              bt_field_class_variant_with_selector_field_integer_unsigned_borrow_option_by_index_const(fc, i)));
            else
                tag.ranges.push_back({name, static_cast<std::int64_t>(i), static_cast<std::int64_t>(i)});
            shape.options.push_back({name, translate(bt_field_class_variant_option_borrow_field_class_const(option))});
        }
        shape.tagType = make(std::move(tag));
        return make(std::move(shape));
    }

    /// Returns the library's path as a list of names; path items for array elements are omitted.
    FieldPath named(const bt_field_path* path) const
    {
        FieldPath result;
        result.section = sectionOf(bt_field_path_get_root_scope(path));
        const bt_field_class* at = m_classes[result.section];
        const std::uint64_t count = bt_field_path_get_item_count(path);
        for (std::uint64_t i = 0; i < count && at; ++i) {
            const bt_field_path_item* item = bt_field_path_borrow_item_by_index_const(path, i);
            if (bt_field_path_item_get_type(item) == BT_FIELD_PATH_ITEM_TYPE_INDEX)
                at = step(at, bt_field_path_item_index_get_index(item), result.names);
            else
                at = is(bt_field_class_get_type(at), BT_FIELD_CLASS_TYPE_ARRAY) ? bt_field_class_array_borrow_element_field_class_const(at)
                                                                                : nullptr;
        }
        return result;
    }

    static const bt_field_class* step(const bt_field_class* at, std::uint64_t index, std::vector<std::string>& names)
    {
        if (is(bt_field_class_get_type(at), BT_FIELD_CLASS_TYPE_STRUCTURE)) {
            const auto* member = bt_field_class_structure_borrow_member_by_index_const(at, index);
            names.emplace_back(bt_field_class_structure_member_get_name(member));
            return bt_field_class_structure_member_borrow_field_class_const(member);
        }
        if (is(bt_field_class_get_type(at), BT_FIELD_CLASS_TYPE_VARIANT)) {
            const auto* option = bt_field_class_variant_borrow_option_by_index_const(at, index);
            const char* name = bt_field_class_variant_option_get_name(option);
            names.emplace_back(name ? name : std::to_string(index));
            return bt_field_class_variant_option_borrow_field_class_const(option);
        }
        return nullptr;
    }

    const SectionClasses& m_classes;
    Section m_hiddenSection;
    HiddenMembers& m_hidden;
    std::uint64_t& m_unknown;
};

} // namespace

SectionClasses::SectionClasses(const bt_stream_class* streamClass, const bt_event_class* eventClass)
    : packetContext(bt_stream_class_borrow_packet_context_field_class_const(streamClass))
    , streamContext(bt_stream_class_borrow_event_common_context_field_class_const(streamClass))
{
    if (eventClass) {
        eventContext = bt_event_class_borrow_specific_context_field_class_const(eventClass);
        payload = bt_event_class_borrow_payload_field_class_const(eventClass);
    }
}

const bt_field_class* SectionClasses::operator[](Section section) const
{
    switch (section) {
    case Section::PacketContext: return packetContext;
    case Section::StreamContext: return streamContext;
    case Section::EventContext: return eventContext;
    case Section::Payload: return payload;
    default: return nullptr;
    }
}

FieldPath HiddenMembers::add(const bt_field_class* user, Section section)
{
    users.push_back(user);
    return {section, {std::to_string(users.size() - 1)}};
}

FieldTypePtr HiddenMembers::type() const
{
    if (users.empty())
        return nullptr;
    StructType type;
    for (std::size_t i = 0; i < users.size(); ++i)
        type.members.push_back({std::to_string(i), make(plainInteger(64))});
    return make(std::move(type));
}

FieldTypePtr translate(const SectionClasses& classes, Section section, HiddenMembers& hidden, std::uint64_t& unknown)
{
    return classes[section] ? Translator(classes, section, hidden, unknown).translate(classes[section]) : nullptr;
}

void FieldWriter::reserve(const HiddenMembers& hidden)
{
    m_hidden = &hidden;
    m_hiddenAt = m_bytes.size();
    m_bytes.resize(m_bytes.size() + hidden.users.size() * sizeof(std::uint64_t));
}

void FieldWriter::write(const bt_field* field)
{
    if (!field)
        return;
    const bt_field_class_type type = bt_field_get_class_type(field);
    if (is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
        writeInteger(field, bt_field_integer_unsigned_get_value(field));
    else if (is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
        writeInteger(field, static_cast<std::uint64_t>(bt_field_integer_signed_get_value(field)));
    else if (is(type, BT_FIELD_CLASS_TYPE_BOOL))
        append(static_cast<std::uint8_t>(bt_field_bool_get_value(field)));
    else if (is(type, BT_FIELD_CLASS_TYPE_BIT_ARRAY))
        append(bt_field_bit_array_get_value_as_integer(field));
    else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
        append(bt_field_real_single_precision_get_value(field));
    else if (is(type, BT_FIELD_CLASS_TYPE_REAL))
        append(bt_field_real_double_precision_get_value(field));
    else if (is(type, BT_FIELD_CLASS_TYPE_STRING))
        writeText(bt_field_string_get_value(field), bt_field_string_get_length(field));
    else if (is(type, BT_FIELD_CLASS_TYPE_STRUCTURE))
        writeMembers(field);
    else if (is(type, BT_FIELD_CLASS_TYPE_ARRAY))
        writeElements(field);
    else if (is(type, BT_FIELD_CLASS_TYPE_VARIANT))
        writeOption(field);
}

template <typename T> void FieldWriter::append(T value)
{
    const std::size_t at = m_bytes.size();
    m_bytes.resize(at + sizeof value);
    std::memcpy(m_bytes.data() + at, &value, sizeof value);
}

void FieldWriter::writeInteger(const bt_field* field, std::uint64_t value)
{
    switch (wordBits(bt_field_class_integer_get_field_value_range(bt_field_borrow_class_const(field)))) {
    case 8: return append(static_cast<std::uint8_t>(value));
    case 16: return append(static_cast<std::uint16_t>(value));
    case 32: return append(static_cast<std::uint32_t>(value));
    default: return append(value);
    }
}

/// Appends a string. `length` is necessary, because babeltrace 2.0.4 leaves the text of an earlier event in the buffer of an empty string.
void FieldWriter::writeText(const char* text, std::uint64_t length)
{
    const auto* bytes = reinterpret_cast<const std::byte*>(text);
    m_bytes.insert(m_bytes.end(), bytes, bytes + std::min<std::uint64_t>(std::strlen(text), length));
    m_bytes.push_back(std::byte{0});
}

void FieldWriter::writeMembers(const bt_field* field)
{
    const std::uint64_t count = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(field));
    for (std::uint64_t i = 0; i < count; ++i)
        write(bt_field_structure_borrow_member_field_by_index_const(field, i));
}

void FieldWriter::writeElements(const bt_field* field)
{
    const std::uint64_t count = bt_field_array_get_length(field);
    fillHidden(field, count);
    for (std::uint64_t i = 0; i < count; ++i)
        write(bt_field_array_borrow_element_field_by_index_const(field, i));
}

void FieldWriter::writeOption(const bt_field* field)
{
    fillHidden(field, bt_field_variant_get_selected_option_index(field));
    write(bt_field_variant_borrow_selected_option_field_const(field));
}

void FieldWriter::fillHidden(const bt_field* user, std::uint64_t value)
{
    if (!m_hidden)
        return;
    const auto found = std::find(m_hidden->users.begin(), m_hidden->users.end(), bt_field_borrow_class_const(user));
    if (found != m_hidden->users.end())
        std::memcpy(m_bytes.data() + m_hiddenAt + static_cast<std::size_t>(found - m_hidden->users.begin()) * sizeof value, &value,
                    sizeof value);
}

ClassKey keyOf(const bt_event_class* eventClass)
{
    return {bt_stream_class_get_id(bt_event_class_borrow_stream_class_const(eventClass)), bt_event_class_get_id(eventClass)};
}

EventType makeType(const bt_event_class* eventClass, const EventType* like, HiddenEventMembers& hidden, std::uint64_t& unknown)
{
    const SectionClasses classes(bt_event_class_borrow_stream_class_const(eventClass), eventClass);
    EventType type;
    const char* name = bt_event_class_get_name(eventClass);
    type.name = name ? name : std::string();
    type.packetContext = translate(classes, Section::PacketContext, hidden.packet, unknown);
    type.packetHeader = hidden.packet.type();
    type.streamContext = translate(classes, Section::StreamContext, hidden.event, unknown);
    type.eventContext = translate(classes, Section::EventContext, hidden.event, unknown);
    type.payload = translate(classes, Section::Payload, hidden.event, unknown);
    type.eventHeader = hidden.event.type();
    if (like) {
        type.packetContext = like->packetContext;
        type.packetHeader = like->packetHeader;
        type.streamContext = like->streamContext;
    }
    return type;
}

void EventTypeIndex::add(const bt_stream_class* streamClass)
{
    const std::uint64_t streamId = bt_stream_class_get_id(streamClass);
    const EventType* like = nullptr;
    const std::uint64_t count = bt_stream_class_get_event_class_count(streamClass);
    for (std::uint64_t i = 0; i < count; ++i) {
        const bt_event_class* eventClass = bt_stream_class_borrow_event_class_by_index_const(streamClass, i);
        const ClassKey key{streamId, bt_event_class_get_id(eventClass)};
        if (ids.contains(key))
            continue;
        HiddenEventMembers hidden;
        ids[key] = types.add(makeType(eventClass, like, hidden, unknownFieldClasses));
        like = &types[ids[key]];
    }
}

EventTypeIndex typesOf(const bt_stream* stream)
{
    EventTypeIndex table;
    const bt_trace_class* trace = bt_stream_class_borrow_trace_class_const(bt_stream_borrow_class_const(stream));
    const std::uint64_t count = bt_trace_class_get_stream_class_count(trace);
    for (std::uint64_t i = 0; i < count; ++i)
        table.add(bt_trace_class_borrow_stream_class_by_index_const(trace, i));
    return table;
}

const EventClassCache::Entry& EventClassCache::operator[](const bt_event_class* eventClass)
{
    const auto [it, isNew] = m_entries.try_emplace(eventClass);
    if (isNew) {
        const auto known = m_table.ids.find(keyOf(eventClass));
        if (known != m_table.ids.end())
            it->second.type = known->second;
        std::uint64_t unknown = 0;
        makeType(eventClass, nullptr, it->second.hidden, unknown);
    }
    return it->second;
}

} // namespace helio::bt2
