#pragma once

#include "core/formats/profiles/json_profile.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace helio::profiles {

/// A table of a profile of Firefox. Its JSON object contains either one array per column, or the rows ("data") and the names of their
/// columns
/// ("schema").
class GeckoTable {
public:
    explicit GeckoTable(const Element& element)
        : m_table(objectIn(element))
    {
    }

    bool has(std::string_view name) const { return m_table && (hasRows() ? columnOf(name).has_value() : !!memberOf(*m_table, name)); }

    /// Returns the values of the column with the name `name`; empty if the table has no such column.
    std::vector<Element> column(std::string_view name) const
    {
        std::vector<Element> values;
        if (!m_table)
            return values;
        if (!hasRows()) {
            for (const json::element& value : elementsIn(memberOf(*m_table, name)))
                values.emplace_back(value);
            return values;
        }
        const auto index = columnOf(name);
        if (!index)
            return values;
        for (const json::element& row : elementsIn(memberOf(*m_table, "data"))) {
            json::array cells;
            json::element cell;
            const bool isThere = row.get_array().get(cells) == simdjson::SUCCESS && cells.at(*index).get(cell) == simdjson::SUCCESS;
            values.push_back(isThere ? Element(cell) : std::nullopt);
        }
        return values;
    }

private:
    bool hasRows() const { return memberOf(*m_table, "schema").has_value(); }
    std::optional<std::size_t> columnOf(std::string_view name) const
    {
        const auto schema = objectIn(memberOf(*m_table, "schema"));
        const auto index = schema ? integerIn(memberOf(*schema, name)) : std::nullopt;
        return index && *index >= 0 && *index < 100 ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
    }

    std::optional<json::object> m_table;
};

/// Returns the integer in row `row` of a column, which is an index into a table; nullopt if it is missing, null or negative.
inline std::optional<std::size_t> indexAt(const std::vector<Element>& column, std::size_t row)
{
    const auto number = row < column.size() ? integerIn(column[row]) : std::nullopt;
    return number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

} // namespace helio::profiles
