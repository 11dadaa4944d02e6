#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// The text of a segment whose kind has fields: "key=value", parted by ";". What would be read as one of those has a "\" before it.
class SegmentFields {
public:
    void add(std::string_view key, std::string_view value)
    {
        if (!m_text.empty())
            m_text += ';';
        (m_text += key) += '=';
        for (const char c : value) {
            if (c == ';' || c == '=' || c == '\\')
                m_text += '\\';
            m_text += c;
        }
    }
    template <typename Number> void addNumber(std::string_view key, Number value) { add(key, std::to_string(value)); }

    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

/// The value of a field of what a segment contains, "comm=sh;woken_by=make (7)", as it was before what would be read as one of its
/// separators was marked. Nothing: it has no such field.
std::optional<std::string> fieldOf(std::string_view fields, std::string_view name);

/// The names of all of its fields, in its order.
std::vector<std::string> fieldNames(std::string_view fields);

} // namespace helio
