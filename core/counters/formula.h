#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A formula over counters: "instructions / cycles", "1000 * (cache-misses + prefetches) / instructions".
///
///   + - * / ( )   numbers, and names of series: letters, digits, _ . : and a - that stands between two of those without a space, so that
///   page-faults is a name, and what is taken away has spaces around it; other names in double quotes.
///
/// Immutable.
class CounterFormula {
public:
    /// The error names the column (from 1): "column 7: a value is missing".
    static Result<CounterFormula> parse(std::string_view text);

    const std::string& text() const { return m_text; }
    /// The names in it, each once, in the order they appear in.
    const std::vector<std::string>& names() const { return m_names; }
    bool isName() const { return m_steps.size() == 1 && m_steps.front().kind == Step::Kind::Name; } ///< Alone.
    /// Of what it is made of, by the names' powers of time (1: per second): that of its value, 0 of a ratio. Nothing where it adds what has
    /// not the same.
    std::optional<int> power(std::span<const int> ofNames) const;
    /// Its value, with the numbers of the names in their order. Nothing where it is none: something is divided by 0.
    std::optional<double> value(std::span<const double> numbers) const;

private:
    friend class FormulaParser;
    struct Step {
        enum class Kind : std::uint8_t { Number, Name, Add, Subtract, Multiply, Divide, Negate };
        Kind kind = Kind::Number;
        double number = 0; ///< Of Number.
        std::uint32_t name = 0; ///< Of Name.
    };

    std::string m_text;
    std::vector<std::string> m_names;
    std::vector<Step> m_steps; ///< Those of a part come before what is done with them.
};

/// Whether a series' title is what a formula calls it: - and _ are the same, and perf's modifiers may be left out ("cycles" is "cycles:u").
bool isNamed(std::string_view title, std::string_view name);

} // namespace helio
