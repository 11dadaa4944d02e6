#include "core/base/utf8.h"

namespace helio {
namespace {

constexpr char HexDigits[] = "0123456789abcdef";

void appendEscaped(std::string& out, std::string_view text, bool escapesControls)
{
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const std::size_t length = utf8Length(text.substr(i));
        const bool isControl = byte < 0x20 || byte == 0x7f;
        if (length == 0 || (escapesControls && isControl)) {
            appendHexEscape(out, text[i++]);
            continue;
        }
        out.append(text.substr(i, length));
        i += length;
    }
}

} // namespace

std::size_t utf8Length(std::string_view text)
{
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (at(i) & 0xc0) == 0x80; };
    const unsigned first = at(0);
    if (text.empty())
        return 0;
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return follows(1) ? 2 : 0;
    // Limits of the second byte that exclude overlong forms, surrogates and code points beyond U+10FFFF.
    if (first >= 0xe0 && first <= 0xef)
        return follows(1) && follows(2) && !(first == 0xe0 && at(1) < 0xa0) && !(first == 0xed && at(1) > 0x9f) ? 3 : 0;
    if (first >= 0xf0 && first <= 0xf4)
        return follows(1) && follows(2) && follows(3) && !(first == 0xf0 && at(1) < 0x90) && !(first == 0xf4 && at(1) > 0x8f) ? 4 : 0;
    return 0;
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

void appendCodePoint(std::string& out, std::uint32_t point)
{
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        point = 0xfffd;
    const auto put = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
    if (point < 0x80)
        return put(point);
    if (point < 0x800) {
        put(0xc0 | point >> 6);
    } else if (point < 0x10000) {
        put(0xe0 | point >> 12);
        put(0x80 | (point >> 6 & 0x3f));
    } else {
        put(0xf0 | point >> 18);
        put(0x80 | (point >> 12 & 0x3f));
        put(0x80 | (point >> 6 & 0x3f));
    }
    put(0x80 | (point & 0x3f));
}

void appendUtf8(std::string& out, std::string_view text) { appendEscaped(out, text, false); }

void appendPrintable(std::string& out, std::string_view text) { appendEscaped(out, text, true); }

void appendHexEscape(std::string& out, char byte)
{
    const auto bits = static_cast<unsigned char>(byte);
    out += "\\x";
    out += HexDigits[bits >> 4];
    out += HexDigits[bits & 15];
}

} // namespace helio
