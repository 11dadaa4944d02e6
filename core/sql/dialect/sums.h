#pragma once

#include "core/sql/dialect/mapped_text.h"

#include <optional>
#include <string>
#include <vector>

namespace helio::sql {

/// A table whose rows are the sums of groups of rows of another table.
struct SumTable {
    std::vector<std::string> summed; ///< Names of the table whose rows are summed up, e.g. a view of all its rows.
    std::string sums; ///< Name of the table with the sums.
    std::vector<std::string> groups; ///< Columns that both tables have, by which rows are grouped.
    std::vector<std::string> others; ///< Other columns of the summed table.
    std::string value; ///< Column that is summed up; one of `others`. Never NULL.
    std::string count; ///< Columns of the table with the sums: the number of rows, ...
    std::string total; ///< ...the sum of the values, ...
    std::string least; ///< ...the least value, ...
    std::string most; ///< ...and the greatest value.
};

/// Returns a query with the same result that reads the sums instead of each row; nullopt if there is none.
///
/// Found are plain queries, also with joins, that read the summed table first, count its rows or compute sum, total, avg, min or max of its
/// values, and read no other columns of it than those by which its rows are grouped.
std::optional<MappedText> useSums(const MappedText& query, const SumTable& table);

} // namespace helio::sql
