#pragma once

#include "core/sql/engine/filter.h"

struct sqlite3_value;

namespace helio::sql {

/// Returns a copy of a value of SQLite.
Value copyOf(sqlite3_value* value);

} // namespace helio::sql
