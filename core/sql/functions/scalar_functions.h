#pragma once

#include "core/sql/engine/database.h"
#include "core/sql/tables/table_factory.h"

#include <vector>

namespace helio::sql {

/// Returns the scalar functions of each database: those of the field's tables, with the names and meanings that they have there.
std::vector<Function> scalarFunctions(const Recording& recording);

} // namespace helio::sql
