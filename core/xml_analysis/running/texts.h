#pragma once

#include "core/base/flat_index.h"
#include "core/xml_analysis/running/value.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Every text that an analysis met, each once. One thread. Cost: some ns a look-up; what was met stays.
class Texts {
public:
    TextId idOf(std::string_view text);
    /// The decimal number.
    TextId idOf(std::int64_t number);
    /// Stays as long as this lives.
    std::string_view operator[](TextId id) const { return m_texts[id]; }
    std::size_t count() const { return m_texts.size(); }

    /// As the language prints a value: "null", "12", "1.0", the text.
    std::string printed(const Value& value) const;
    /// As people read it: an address in hex digits, and what is unsigned without a sign.
    std::string shown(const Value& value) const;
    /// The same as a text of its own. Requires: not null.
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

/// A double with the fewest digits that make the same again; of whole ones with ".0" behind: "1.0", "1.0E10", as Java has them.
std::string printed(double value);

} // namespace helio::xml
