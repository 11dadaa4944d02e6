#pragma once

#include "core/xml_analysis/program.h"

#include <bit>
#include <cstdint>

namespace helio::xml {

/// A text of an analysis: index in its Texts.
using TextId = std::uint32_t;

/// How an integer is written for people. Rules see the same number whatever it is.
enum class Form : std::uint8_t { Signed, Unsigned, Hex };

/// What an attribute has, or an event says.
class Value {
public:
    Value() = default; ///< Null.
    static Value ofInt(std::int32_t value) { return {Type::Int, static_cast<std::uint64_t>(std::int64_t(value))}; }
    static Value ofLong(std::int64_t value) { return {Type::Long, static_cast<std::uint64_t>(value)}; }
    static Value ofLong(std::int64_t value, Form form)
    {
        Value made = ofLong(value);
        made.m_form = form;
        return made;
    }
    static Value ofDouble(double value) { return {Type::Double, std::bit_cast<std::uint64_t>(value)}; }
    static Value ofText(TextId text) { return {Type::String, text}; }

    Type type() const { return m_type; }
    Form form() const { return m_form; }
    bool isNull() const { return m_type == Type::Null; }
    bool isInteger() const { return m_type == Type::Int || m_type == Type::Long; }
    bool isNumber() const { return isInteger() || m_type == Type::Double; }
    bool isText() const { return m_type == Type::String; }

    // Require the type.
    std::int64_t integer() const { return static_cast<std::int64_t>(m_bits); }
    double real() const { return std::bit_cast<double>(m_bits); }
    TextId text() const { return static_cast<TextId>(m_bits); }

    /// A number of its own for each value of a type.
    std::uint64_t bits() const { return m_bits; }

    /// Of the same type and alike.
    bool operator==(const Value& other) const { return m_bits == other.m_bits && m_type == other.m_type; }

private:
    Value(Type type, std::uint64_t bits)
        : m_bits(bits)
        , m_type(type)
    {
    }

    std::uint64_t m_bits = 0;
    Type m_type = Type::Null;
    Form m_form = Form::Signed;
};

/// Whether people read it otherwise than the language prints it.
inline bool isShownOtherwise(const Value& value)
{
    return value.form() == Form::Hex || (value.form() == Form::Unsigned && value.integer() < 0);
}

} // namespace helio::xml
