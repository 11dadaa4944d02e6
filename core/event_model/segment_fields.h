#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Appends a key or value for a text such as "k=v;k=v". The characters ";", "=" and "\" are escaped by a preceding "\".
inline void appendFieldText(std::string& out, std::string_view text)
{
    for (const char c : text) {
        if (c == ';' || c == '=' || c == '\\')
            out += '\\';
        out += c;
    }
}

/// Builds the text of a segment whose kind has fields: "key=value" pairs separated by ";", with escaped keys and values.
class SegmentFields {
public:
    void add(std::string_view key, std::string_view value)
    {
        if (!m_text.empty())
            m_text += ';';
        (m_text += key) += '=';
        appendFieldText(m_text, value);
    }
    template <typename Number> void addNumber(std::string_view key, Number value) { add(key, std::to_string(value)); }

    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

/// Returns the unescaped value of a field in a text such as "comm=sh;woken_by=make (7)"; nullopt if the text has no such field.
std::optional<std::string> fieldOf(std::string_view fields, std::string_view name);

/// Returns the names of all fields, in the order of the text.
std::vector<std::string> fieldNames(std::string_view fields);

} // namespace helio
