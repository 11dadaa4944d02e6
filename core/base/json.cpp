#include "core/base/json.h"

#include "core/base/utf8.h"

#include <charconv>
#include <cmath>

namespace helio {
namespace {

template <typename T> void appendNumber(std::string& out, T number)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    out.append(text, end);
}

void appendControl(std::string& out, unsigned char byte)
{
    static constexpr char digits[] = "0123456789abcdef";
    out += "\\u00";
    out += digits[byte >> 4];
    out += digits[byte & 15];
}

/// True for a character that stands for itself in JSON, without regard to its neighbours.
constexpr bool isPlain(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/// Returns the number of plain characters at the beginning of a text.
std::size_t plainLength(std::string_view text)
{
    constexpr std::size_t Block = 32; // The compiler turns the inner loop into a few vector instructions.
    std::size_t length = 0;
    for (; length + Block <= text.size(); length += Block) {
        unsigned others = 0;
        for (std::size_t i = 0; i < Block; ++i)
            others |= !isPlain(text[length + i]);
        if (others != 0)
            break;
    }
    while (length < text.size() && isPlain(text[length]))
        ++length;
    return length;
}

} // namespace

void appendJson(std::string& out, std::string_view text)
{
    out += '"';
    for (std::size_t i = 0; i < text.size();) {
        if (const std::size_t plain = plainLength(text.substr(i)); plain > 0) {
            out.append(text.substr(i, plain));
            i += plain;
            continue;
        }
        const std::size_t length = utf8Length(text.substr(i));
        if (length == 0) {
            out += '\\';
            appendHexEscape(out, text[i++]);
            continue;
        }
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x20)
            appendControl(out, byte);
        else if (byte == '"' || byte == '\\')
            (out += '\\') += text[i];
        else
            out.append(text.substr(i, length));
        i += length;
    }
    out += '"';
}

void JsonWriter::separate()
{
    if (m_isAfterKey) {
        m_isAfterKey = false;
        return;
    }
    if (m_hasElements.empty())
        return;
    if (m_hasElements.back())
        m_out += ',';
    m_hasElements.back() = true;
}

void JsonWriter::open(char bracket)
{
    separate();
    m_out += bracket;
    m_hasElements.push_back(false);
}

void JsonWriter::close(char bracket)
{
    m_out += bracket;
    m_hasElements.pop_back();
}

JsonWriter& JsonWriter::key(std::string_view name)
{
    separate();
    appendJson(m_out, name);
    m_out += ':';
    m_isAfterKey = true;
    return *this;
}

void JsonWriter::value(std::string_view text)
{
    separate();
    appendJson(m_out, text);
}

void JsonWriter::value(bool truth)
{
    separate();
    m_out += truth ? "true" : "false";
}

void JsonWriter::value(double number)
{
    if (std::isnan(number))
        return value("NaN");
    if (std::isinf(number))
        return value(number > 0 ? "Infinity" : "-Infinity");
    separate();
    appendNumber(m_out, number);
}

void JsonWriter::value(std::int64_t number)
{
    separate();
    appendNumber(m_out, number);
}

void JsonWriter::value(std::uint64_t number)
{
    separate();
    appendNumber(m_out, number);
}

void JsonWriter::written(std::string_view json)
{
    separate();
    m_out += json;
}

void JsonWriter::null()
{
    separate();
    m_out += "null";
}

} // namespace helio
