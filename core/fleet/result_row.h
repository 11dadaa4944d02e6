#pragma once

#include "core/base/result.h"
#include "core/sql/engine/filter.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::fleet {

/// A row that `heliograph sql --format json` printed: names and values of the columns, in their order.
using ResultRow = std::vector<std::pair<std::string, sql::Value>>;

/// Reads a line with a row.
/// Errors: Corrupt if the line is no object of simple values.
Result<ResultRow> readRow(std::string_view line);

} // namespace helio::fleet
