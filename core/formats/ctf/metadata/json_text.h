#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio::ctf {

class MetadataDiagnostics;

/// A value of a JSON text, with the line of its start for error messages.
struct JsonValue {
    enum class Kind : std::uint8_t { Null, Truth, Integer, Real, Text, Array, Object };
    Kind kind = Kind::Null;
    unsigned line = 1;
    bool truth = false;
    std::int64_t integer = 0; ///< Value of an Integer in two's complement; unsigned 64-bit numbers keep their bits.
    std::string text;
    std::vector<JsonValue> items; ///< Elements of an array, or values of an object's members.
    std::vector<std::string> names; ///< Names of an object's members, in the order of `items`.

    bool isText(std::string_view other) const { return kind == Kind::Text && text == other; }
    /// Returns the member with this name; nullptr if it does not exist or this value is not an object.
    const JsonValue* find(std::string_view name) const;
};

/// Returns the values of a JSON text sequence (RFC 7464), except damaged values, which are reported to `damages`.
/// Errors: throws TsdlLimitError if values are nested more than 100 deep.
std::vector<JsonValue> jsonSequence(std::string_view text, MetadataDiagnostics& damages);

/// Returns the first value of a JSON text sequence; Null if the sequence is empty.
/// Errors: throws TsdlError if the value is damaged.
JsonValue firstJson(std::string_view text);

} // namespace helio::ctf
