#pragma once

#include <bit>
#include <cstdint>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <string_view>

// Functions that read the fields of protobuf messages in Perfetto traces. The field numbers are defined in protos/perfetto/trace/*.proto in
// Perfetto's sources.

namespace helio::perfetto {

/// One field of a protobuf message.
/// Ownership: `bytes` is a view of the message.
struct WireField {
    std::uint32_t number = 0;
    protozero::pbf_wire_type type = protozero::pbf_wire_type::varint;
    std::uint64_t value = 0; ///< Value of a field with the wire type varint, fixed32 or fixed64; 0 for other wire types.
    std::string_view bytes; ///< Content of a length-delimited field, e.g. a string or a submessage; empty for other wire types.

    bool isBytes() const { return type == protozero::pbf_wire_type::length_delimited; }
    std::int64_t integer() const { return static_cast<std::int64_t>(value); }
    std::int32_t int32() const { return static_cast<std::int32_t>(value); }
    std::uint32_t uint32() const { return static_cast<std::uint32_t>(value); }
    /// Returns the value of a field of the type double (wire type fixed64) or float (fixed32); 0 for other wire types.
    double real() const
    {
        if (type == protozero::pbf_wire_type::fixed64)
            return std::bit_cast<double>(value);
        return type == protozero::pbf_wire_type::fixed32 ? double(std::bit_cast<float>(static_cast<std::uint32_t>(value))) : 0;
    }
};

/// Calls `take(const WireField&)` for each field of a message, in the order of the message. Returns false if the message is damaged; `take`
/// was then called for the fields before the damage.
template <typename Take> bool forEachField(std::string_view message, Take&& take)
{
    using Type = protozero::pbf_wire_type;
    try {
        protozero::pbf_reader reader(message.data(), message.size());
        while (reader.next()) {
            WireField field;
            field.number = reader.tag();
            field.type = reader.wire_type();
            switch (field.type) {
            case Type::varint: field.value = reader.get_uint64(); break;
            case Type::fixed64: field.value = reader.get_fixed64(); break;
            case Type::fixed32: field.value = reader.get_fixed32(); break;
            default: const protozero::data_view view = reader.get_view(); field.bytes = {view.data(), view.size()};
            }
            take(static_cast<const WireField&>(field));
        }
    } catch (const protozero::exception&) {
        return false;
    }
    return true;
}

/// Calls `take(std::uint64_t)` for each number in `field`, which belongs to a repeated varint field: it contains one number or several
/// packed numbers. Returns false if the packed numbers are damaged.
template <typename Take> bool forEachNumber(const WireField& field, Take&& take)
{
    if (!field.isBytes()) {
        take(field.value);
        return true;
    }
    const char* at = field.bytes.data();
    const char* const end = at + field.bytes.size();
    try {
        while (at != end)
            take(protozero::decode_varint(&at, end));
    } catch (const protozero::exception&) {
        return false;
    }
    return true;
}

} // namespace helio::perfetto
