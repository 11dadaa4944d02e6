#include "app/cli/output/json_writer.h"

#include "app/cli/output/output.h"

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

} // namespace

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
    string(name);
    m_out += ':';
    m_isAfterKey = true;
    return *this;
}

void JsonWriter::string(std::string_view text)
{
    static constexpr char digits[] = "0123456789abcdef";
    m_out += '"';
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const std::size_t length = utf8Length(text.substr(i));
        if (length == 1 && byte >= 0x20 && byte != '"' && byte != '\\') {
            m_out += text[i];
        } else if (length > 1) {
            m_out.append(text.substr(i, length));
        } else if (byte == '"' || byte == '\\') {
            m_out += '\\';
            m_out += text[i];
        } else {
            m_out += length == 0 ? "\\\\x" : "\\u00";
            m_out += digits[byte >> 4];
            m_out += digits[byte & 15];
        }
        i += length == 0 ? 1 : length;
    }
    m_out += '"';
}

void JsonWriter::value(std::string_view text)
{
    separate();
    string(text);
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
