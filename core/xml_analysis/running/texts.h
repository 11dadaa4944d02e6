#pragma once

#include "core/base/flat_index.h"
#include "core/xml_analysis/running/value.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Texts of an analysis, each stored once. Texts are never removed.
/// Threads: to be used by one thread.
/// Cost: a few ns for each look-up.
class Texts {
public:
    TextId idOf(std::string_view text);
    /// Returns the id of the decimal number as text.
    TextId idOf(std::int64_t number);
    /// Returns the text, valid as long as this object lives.
    std::string_view operator[](TextId id) const { return m_texts[id]; }
    std::size_t count() const { return m_texts.size(); }

    /// Returns a value as the language prints it: "null", "12", "1.0", the text.
    std::string printed(const Value& value) const;
    /// Returns a value as the user reads it: addresses in hexadecimal digits, unsigned numbers without a sign.
    std::string shown(const Value& value) const;
    /// Returns the id of the printed value. Requires: the value is not null.
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

/// Prints a double with the fewest digits from which the same double is read; whole numbers end in ".0", e.g. "1.0" and "1.0E10", like in
/// Java.
std::string printed(double value);

} // namespace helio::xml
