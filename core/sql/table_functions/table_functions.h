#pragma once

#include "core/sql/tables/table_factory.h"

#include <span>

namespace helio::sql {

/// Returns the table-valued functions of each database. Each file X_function.cpp of core/sql/table_functions defines one as `extern const
/// TableFactory xFunction`; the build finds these files.
std::span<const TableFactory* const> tableFunctions();

} // namespace helio::sql
