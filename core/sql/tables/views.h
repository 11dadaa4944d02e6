#pragma once

#include <string_view>

namespace helio::sql {

/// Returns the statements that create the views of each database: tables of the field that are a part of another table, and their aliases.
std::string_view viewStatements();

} // namespace helio::sql
