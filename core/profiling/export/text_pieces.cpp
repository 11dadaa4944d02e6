#include "core/profiling/export/text_pieces.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace helio {
namespace {

/// Length of the valid UTF-8 character at the begin; 0 where there is none.
std::size_t characterLength(std::string_view text)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = at(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xf0 && first < 0xf5 ? 4
        : first >= 0xe0 && first < 0xf0                      ? 3
        : first >= 0xc2 && first < 0xe0                      ? 2
                                                             : 0;
    if (length == 0 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((at(i) & 0xc0) != 0x80)
            return 0;
    // No longer forms than needed, no halves of pairs, nothing past the last character.
    const bool isBad = (first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) >= 0xa0) || (first == 0xf0 && at(1) < 0x90)
        || (first == 0xf4 && at(1) >= 0x90);
    return isBad ? 0 : length;
}

void appendCode(std::string& out, const char* format, char c)
{
    std::array<char, 16> code{};
    std::snprintf(code.data(), code.size(), format, static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += code.data();
}

/// `special(c)` appends a character that has a form of its own, and says so.
template <typename Special> void appendEscaped(std::string& out, std::string_view text, const char* badByte, const Special& special)
{
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0)
            appendCode(out, badByte, text.front());
        else if (length > 1 || !special(text.front()))
            out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
}

} // namespace

void appendJson(std::string& out, std::string_view text)
{
    out += '"';
    appendEscaped(out, text, "\\\\x%02x", [&](char c) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20)
            appendCode(out, "\\u%04x", c);
        else
            return false;
        return true;
    });
    out += '"';
}

void appendXml(std::string& out, std::string_view text)
{
    appendEscaped(out, text, "\\x%02x", [&](char c) {
        switch (c) {
        case '<': out += "&lt;"; return true;
        case '>': out += "&gt;"; return true;
        case '&': out += "&amp;"; return true;
        case '"': out += "&quot;"; return true;
        default: break;
        }
        if (static_cast<unsigned char>(c) >= 0x20)
            return false;
        appendCode(out, "\\x%02x", c);
        return true;
    });
}

} // namespace helio
