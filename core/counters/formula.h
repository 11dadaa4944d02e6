#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A formula over counters, for example "instructions / cycles" or "1000 * (cache-misses + prefetches) / instructions". Immutable.
///
/// Syntax: operators + - * / and parentheses, numbers, and names of series. A name consists of letters, digits and the characters "_", "."
/// and ":". It may also contain "-", but only between two of these characters. A minus sign therefore needs spaces around it, because
/// page-faults is a name. Names with other characters are written in double quotes.
class CounterFormula {
public:
    /// Parses a formula.
    /// Errors: the message names the column, counted from 1, for example "column 7: a value is missing".
    static Result<CounterFormula> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    /// Returns the names in the formula, each once, in the order of their first use.
    const std::vector<std::string>& names() const { return m_names; }
    /// True if the formula is a single name.
    bool isName() const { return m_steps.size() == 1 && m_steps.front().kind == Step::Kind::Name; }
    /// Returns the power of 1/time in the unit of the formula: 1 if the formula gives a rate (a number per second), 0 if it gives a number
    /// without time, e.g. a ratio of two rates. `ofNames`: the powers of the series, in the order of names(). Returns nullopt if the
    /// formula adds or subtracts terms of different powers.
    std::optional<int> power(std::span<const int> ofNames) const;
    /// Returns the value of the formula if the series have the values `numbers`, in the order of names(); nullopt on a division by 0.
    std::optional<double> value(std::span<const double> numbers) const;

private:
    friend class FormulaParser;
    struct Step {
        enum class Kind : std::uint8_t { Number, Name, Add, Subtract, Multiply, Divide, Negate };
        Kind kind = Kind::Number;
        double number = 0; ///< Value of a number in the formula; only for Kind::Number.
        std::uint32_t name = 0; ///< Name of the series, as an index into names(); only for Kind::Name.
    };

    std::string m_text;
    std::vector<std::string> m_names;
    std::vector<Step> m_steps; ///< Compiled formula in postfix order: operands come before their operator.
};

/// True if a formula's `name` refers to the series with this title. Treats - and _ as equal; the modifiers of perf may be omitted: "cycles"
/// matches "cycles:u".
bool isNamed(std::string_view title, std::string_view name);

} // namespace helio
