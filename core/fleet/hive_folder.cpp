#include "core/fleet/hive_folder.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace helio::fleet {
namespace {

constexpr std::string_view NullValue = "__HIVE_DEFAULT_PARTITION__";
constexpr std::size_t MostBytes = 200; ///< Longest escaped value in bytes. File systems allow 255 for the name of a folder.

constexpr std::string_view Digits = "0123456789ABCDEF";

void appendEscaped(std::string& out, char c)
{
    const auto byte = static_cast<unsigned char>(c);
    (out += '%').append(1, Digits[byte >> 4]).append(1, Digits[byte & 15]);
}

/// True for the characters that Hive and Spark escape in the names of folders.
bool isEscaped(char c)
{
    constexpr std::string_view Special = "\"#%'*/:=?\\{[]^\x7f";
    return static_cast<unsigned char>(c) < 0x20 || Special.find(c) != std::string_view::npos;
}

/// True if engines take a value for NULL: Hive and Spark its word, and DuckDB the word "null", too.
bool looksLikeNull(std::string_view text)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    constexpr std::string_view Null = "null";
    return text == NullValue || std::ranges::equal(text, Null, {}, lower);
}

/// Returns the FNV-1a hash of a text, as 16 hexadecimal digits.
std::string hashOf(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    std::string digits(16, '0');
    for (std::size_t i = 0; i < digits.size(); ++i)
        digits[i] = Digits[hash >> (60 - 4 * i) & 15];
    return digits;
}

} // namespace

std::string hiveFolder(std::string_view column, std::string_view value)
{
    std::string name = std::string(column) + '=';
    if (value.empty())
        return name.append(NullValue);
    std::string text;
    appendUtf8(text, value);
    const std::size_t most = name.size() + MostBytes;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = std::max<std::size_t>(1, utf8Length(std::string_view(text).substr(i)));
        const std::size_t before = name.size();
        if (isEscaped(text[i]) || (i == 0 && looksLikeNull(text)))
            appendEscaped(name, text[i]);
        else
            name.append(text, i, length);
        if (name.size() > most) {
            name.resize(before);
            return name + '~' + hashOf(value);
        }
        i += length;
    }
    return name;
}

} // namespace helio::fleet
