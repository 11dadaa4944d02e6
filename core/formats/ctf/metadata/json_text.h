#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio::ctf {

class MetadataDamages;

/// One value of a JSON text, with the line it stands at: errors in metadata name theirs.
struct JsonValue {
    enum class Kind : std::uint8_t { Null, Truth, Integer, Real, Text, Array, Object };
    Kind kind = Kind::Null;
    unsigned line = 1;
    bool truth = false;
    std::int64_t integer = 0; ///< Two's complement; unsigned 64-bit numbers keep their bits.
    std::string text;
    std::vector<JsonValue> items; ///< Elements, or the members' values...
    std::vector<std::string> names; ///< ...with their names.

    bool isText(std::string_view other) const { return kind == Kind::Text && text == other; }
    /// The member; null where there is none or this is no object.
    const JsonValue* find(std::string_view name) const;
};

/// The values of a JSON text sequence (RFC 7464). Those that are damaged are left out. Nesting is bounded. Throws TsdlError.
std::vector<JsonValue> jsonSequence(std::string_view text, MetadataDamages& damages);

/// The first of them; null where there is none. Throws TsdlError.
JsonValue firstJson(std::string_view text);

} // namespace helio::ctf
