#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace helio {

/// Length in bytes (1 to 4) of the valid UTF-8 character at the beginning of `text`; 0 if `text` does not begin with a valid character.
/// Overlong forms, surrogates and code points beyond U+10FFFF are invalid (RFC 3629).
std::size_t utf8Length(std::string_view text);

/// True if all of `text` is valid UTF-8. Cost: a few ns per character.
bool isUtf8(std::string_view text);

/// Appends the UTF-8 form of a code point; U+FFFD (the replacement character) for a surrogate or a value beyond U+10FFFF.
void appendCodePoint(std::string& out, std::uint32_t point);

/// Appends `text` as valid UTF-8: a byte that is not part of a valid character becomes \xNN.
void appendUtf8(std::string& out, std::string_view text);

/// Appends `text` for output to a terminal: control characters, including line breaks, and bytes that are not valid UTF-8 become \xNN.
void appendPrintable(std::string& out, std::string_view text);

/// Appends `byte` as \xNN, with two hexadecimal digits.
void appendHexEscape(std::string& out, char byte);

} // namespace helio
