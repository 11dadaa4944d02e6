#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio::ctf {

class MetadataDiagnostics;

/// One value of a JSON text, with the line where it begins: errors in metadata name it.
struct JsonValue {
    enum class Kind : std::uint8_t { Null, Truth, Integer, Real, Text, Array, Object };
    Kind kind = Kind::Null;
    unsigned line = 1;
    bool truth = false;
    std::int64_t integer = 0; ///< Two's complement; unsigned 64-bit numbers keep their bits.
    std::string text;
    std::vector<JsonValue> items; ///< Elements of an array, values of an object's members.
    std::vector<std::string> names; ///< Names of an object's members, in the order of `items`.

    bool isText(std::string_view other) const { return kind == Kind::Text && text == other; }
    /// Returns the member called `name`; nullptr if there is none or this is no object.
    const JsonValue* find(std::string_view name) const;
};

/// Returns the values of a JSON text sequence (RFC 7464), without those that are damaged.
/// Errors: throws TsdlLimitError if values are nested more than 100 deep.
std::vector<JsonValue> jsonSequence(std::string_view text, MetadataDiagnostics& damages);

/// Returns the first value of a JSON text sequence; Null if there is none. Errors: throws TsdlError if it is damaged.
JsonValue firstJson(std::string_view text);

} // namespace helio::ctf
