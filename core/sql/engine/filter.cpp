#include "core/sql/engine/filter.h"

#include <algorithm>
#include <cmath>

namespace helio::sql {
namespace {

using enum Condition::Operator;

constexpr IntegerRange NoIntegers{1, 0};
constexpr double IntegerLimit = 9'223'372'036'854'775'808.0; ///< 2^63, the first double above all integers.

IntegerRange from(std::int64_t lowest) { return {lowest, std::numeric_limits<std::int64_t>::max()}; }
IntegerRange upTo(std::int64_t highest) { return {std::numeric_limits<std::int64_t>::min(), highest}; }

IntegerRange allowedBy(Condition::Operator comparison, std::int64_t value)
{
    switch (comparison) {
    case Equal: return {value, value};
    case Less: return value == std::numeric_limits<std::int64_t>::min() ? NoIntegers : upTo(value - 1);
    case LessEqual: return upTo(value);
    case Greater: return value == std::numeric_limits<std::int64_t>::max() ? NoIntegers : from(value + 1);
    case GreaterEqual: return from(value);
    }
    return {};
}

IntegerRange allowedBy(Condition::Operator comparison, double value)
{
    if (std::isnan(value))
        return NoIntegers;
    const bool wantsLower = comparison == Less || comparison == LessEqual;
    const bool wantsHigher = comparison == Greater || comparison == GreaterEqual;
    if (value >= IntegerLimit)
        return wantsLower ? IntegerRange() : NoIntegers;
    if (value < -IntegerLimit)
        return wantsHigher ? IntegerRange() : NoIntegers;
    const auto below = static_cast<std::int64_t>(std::floor(value));
    if (static_cast<double>(below) == value)
        return allowedBy(comparison, below);
    if (comparison == Equal)
        return NoIntegers;
    return wantsLower ? upTo(below) : allowedBy(Greater, below);
}

IntegerRange allowedBy(const Condition& condition)
{
    if (const auto* integer = std::get_if<std::int64_t>(&condition.value))
        return allowedBy(condition.comparison, *integer);
    if (const auto* real = std::get_if<double>(&condition.value))
        return allowedBy(condition.comparison, *real);
    // SQL may convert a text to the number that it contains, so a text allows every integer. NULL equals no integer.
    return std::holds_alternative<std::string>(condition.value) ? IntegerRange() : NoIntegers;
}

} // namespace

IntegerRange Filter::range(int column) const
{
    IntegerRange range;
    for (const Condition& condition : m_conditions) {
        if (condition.column != column)
            continue;
        const IntegerRange allowed = allowedBy(condition);
        range.lowest = std::max(range.lowest, allowed.lowest);
        range.highest = std::min(range.highest, allowed.highest);
    }
    return range;
}

std::optional<std::int64_t> Filter::equal(int column) const
{
    const Value* const value = equalValue(column);
    if (!value)
        return {};
    if (const auto* integer = std::get_if<std::int64_t>(value))
        return *integer;
    const auto* real = std::get_if<double>(value);
    if (!real)
        return {};
    const IntegerRange range = allowedBy(Equal, *real);
    return range.isEmpty() ? std::nullopt : std::optional(range.lowest);
}

const Value* Filter::equalValue(int column) const
{
    for (const Condition& condition : m_conditions)
        if (condition.column == column && condition.comparison == Equal)
            return &condition.value;
    return nullptr;
}

bool Filter::comparesWithNull(std::uint64_t except) const
{
    return std::ranges::any_of(m_conditions, [except](const Condition& it) {
        return std::holds_alternative<std::monostate>(it.value) && (it.column > 63 || (except >> it.column & 1) == 0);
    });
}

} // namespace helio::sql
