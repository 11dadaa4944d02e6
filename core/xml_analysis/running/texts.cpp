#include "core/xml_analysis/running/texts.h"

#include <charconv>
#include <cmath>
#include <functional>

namespace helio::xml {

TextId Texts::idOf(std::string_view text)
{
    const std::uint64_t hash = mixed(std::hash<std::string_view>()(text), 0);
    const std::uint32_t id = m_index.findOrAdd(hash, [&](std::uint32_t i) { return m_texts[i] == text; });
    if (id == m_texts.size())
        m_texts.emplace_back(text);
    return id;
}

TextId Texts::idOf(std::int64_t number)
{
    const std::uint64_t hash = mixed(static_cast<std::uint64_t>(number), 1);
    const std::uint32_t at = m_numberIndex.findOrAdd(hash, [&](std::uint32_t i) { return m_numbers[i].number == number; });
    if (at == m_numbers.size())
        m_numbers.push_back({number, idOf(std::to_string(number))});
    return m_numbers[at].text;
}

TextId Texts::idOf(const Value& value)
{
    return value.isText() ? value.text() : value.isInteger() ? idOf(value.integer()) : idOf(printed(value));
}

std::string Texts::printed(const Value& value) const
{
    switch (value.type()) {
    case Type::Null: return "null";
    case Type::Int:
    case Type::Long: return std::to_string(value.integer());
    case Type::Double: return xml::printed(value.real());
    case Type::String: return m_texts[value.text()];
    }
    return {};
}

std::string Texts::shown(const Value& value) const
{
    if (!value.isInteger() || !hasUserNotation(value))
        return printed(value);
    const auto number = static_cast<std::uint64_t>(value.integer());
    if (value.form() == IntegerNotation::Unsigned)
        return std::to_string(number);
    char digits[16];
    return "0x" + std::string(digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr);
}

std::string printed(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value < 0 ? "-Infinity" : "Infinity";
    char digits[64];
    const double size = std::abs(value);
    const bool isPlain = value == 0 || (size >= 1e-3 && size < 1e7);
    const auto format = isPlain ? std::chars_format::fixed : std::chars_format::scientific;
    std::string text(digits, std::to_chars(digits, digits + sizeof digits, value, format).ptr);
    if (isPlain)
        return text.find('.') == std::string::npos ? text + ".0" : text;
    // Convert to Java's notation: "1.0E10", not "1e+10".
    const std::size_t e = text.find('e');
    std::string mantissa = text.substr(0, e);
    if (mantissa.find('.') == std::string::npos)
        mantissa += ".0";
    return mantissa + "E" + std::to_string(std::stoi(text.substr(e + 1)));
}

} // namespace helio::xml
