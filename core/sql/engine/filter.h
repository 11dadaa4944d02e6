#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace helio::sql {

/// A value of SQL. NULL is std::monostate; a blob is a text.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// Comparison of a column with a value.
struct Condition {
    enum class Operator : std::uint8_t { Equal, Less, LessEqual, Greater, GreaterEqual };
    int column = 0;
    Operator comparison = Operator::Equal;
    Value value;
};

/// Range of integers, both bounds included; empty if `lowest` is above `highest`.
struct IntegerRange {
    std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    std::int64_t highest = std::numeric_limits<std::int64_t>::max();

    bool isEmpty() const { return lowest > highest; }
    bool contains(std::int64_t value) const { return lowest <= value && value <= highest; }
};

/// Request of a query to a table: the conditions that all wanted rows fulfil, and the columns that the query reads.
class Filter {
public:
    Filter() = default;
    Filter(std::vector<Condition> conditions, std::uint64_t columnsRead, std::stop_token stop)
        : m_conditions(std::move(conditions))
        , m_columnsRead(columnsRead)
        , m_stop(std::move(stop))
    {
    }

    /// Returns the range of integers that the conditions on a column allow. Conditions with a text do not narrow the range.
    IntegerRange range(int column) const;

    /// Returns the integer that a column must equal; nullopt if no condition demands one. If the conditions contradict each other, the
    /// result is one of the demanded integers.
    std::optional<std::int64_t> equal(int column) const;
    /// Returns the value that a column must equal; nullptr if no condition demands one.
    const Value* equalValue(int column) const;

    /// True if a condition compares a column with NULL, so that no row fulfils it. `except`: mask of columns that do not count.
    bool comparesWithNull(std::uint64_t except = 0) const;

    /// True if the query reads the column. Columns from number 63 on count as one.
    bool reads(int column) const { return (m_columnsRead >> (column < 63 ? column : 63) & 1) != 0; }
    const std::stop_token& stop() const { return m_stop; }

private:
    std::vector<Condition> m_conditions;
    std::uint64_t m_columnsRead = ~std::uint64_t{};
    std::stop_token m_stop;
};

} // namespace helio::sql
