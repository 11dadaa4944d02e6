#pragma once

#include "core/base/flat_index.h"
#include "core/xml_analysis/program.h"

#include <bit>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Id of a text of an analysis: its index in Texts.
using TextId = std::uint32_t;

/// Notation in which an integer is shown to the user. For rules, the notation makes no difference.
enum class IntegerNotation : std::uint8_t { Signed, Unsigned, Hex };

/// Value of an attribute or of an event field.
class Value {
public:
    Value() = default; ///< Makes a null value.
    static Value ofInt(std::int32_t value) { return {Type::Int, static_cast<std::uint64_t>(std::int64_t(value))}; }
    static Value ofLong(std::int64_t value) { return {Type::Long, static_cast<std::uint64_t>(value)}; }
    static Value ofLong(std::int64_t value, IntegerNotation form)
    {
        Value made = ofLong(value);
        made.m_form = form;
        return made;
    }
    static Value ofDouble(double value) { return {Type::Double, std::bit_cast<std::uint64_t>(value)}; }
    static Value ofText(TextId text) { return {Type::String, text}; }

    Type type() const { return m_type; }
    IntegerNotation form() const { return m_form; }
    bool isNull() const { return m_type == Type::Null; }
    bool isInteger() const { return m_type == Type::Int || m_type == Type::Long; }
    bool isNumber() const { return isInteger() || m_type == Type::Double; }
    bool isText() const { return m_type == Type::String; }

    // Value as a C++ type. Requires: the value has the corresponding type.
    std::int64_t integer() const { return static_cast<std::int64_t>(m_bits); }
    double real() const { return std::bit_cast<double>(m_bits); }
    TextId text() const { return static_cast<TextId>(m_bits); }

    /// Bits that identify the value among all values of its type.
    std::uint64_t bits() const { return m_bits; }

    bool operator==(const Value& other) const { return m_bits == other.m_bits && m_type == other.m_type; }

private:
    Value(Type type, std::uint64_t bits)
        : m_bits(bits)
        , m_type(type)
    {
    }

    std::uint64_t m_bits = 0;
    Type m_type = Type::Null;
    IntegerNotation m_form = IntegerNotation::Signed;
};

/// True if views show the integer in another notation than the analysis's texts, which are signed decimal: in hexadecimal, or as an
/// unsigned number beyond the signed range.
inline bool hasUserNotation(const Value& value)
{
    return value.form() == IntegerNotation::Hex || (value.form() == IntegerNotation::Unsigned && value.integer() < 0);
}

/// Texts of an analysis; each text is stored once and never removed.
/// Threads: to be used by one thread.
/// Cost: a few ns per lookup.
class Texts {
public:
    TextId idOf(std::string_view text);
    /// Returns the id of the number's decimal text.
    TextId idOf(std::int64_t number);
    /// Returns the text with this id, valid during the lifetime of this object.
    std::string_view operator[](TextId id) const { return m_texts[id]; }
    std::size_t count() const { return m_texts.size(); }

    /// Returns a value as Trace Compass's XML analyses print it: "null", "12", "1.0", the text.
    std::string printed(const Value& value) const;
    /// Returns a value in the notation for the user: addresses in hexadecimal digits, unsigned numbers without a sign.
    std::string shown(const Value& value) const;
    /// Returns the id of the value's printed text. Requires: the value is not null.
    TextId idOf(const Value& value);

private:
    struct Number {
        std::int64_t number;
        TextId text;
    };

    FlatIndex m_index;
    std::deque<std::string> m_texts;
    FlatIndex m_numberIndex;
    std::vector<Number> m_numbers;
};

/// Prints a double as in Java: with the fewest digits that are read back as the same double; whole numbers end in ".0", for example "1.0"
/// and "1.0E10".
std::string printed(double value);

} // namespace helio::xml
