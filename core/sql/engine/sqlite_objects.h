#pragma once

#include "core/sql/engine/filter.h"

#include <memory>

struct sqlite3_stmt;
struct sqlite3_value;

namespace helio::sql {

constexpr int StepsBetweenChecks = 4'096; ///< Steps of SQLite's virtual machine between two checks for a stop request.

struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const;
};
/// A prepared statement of SQLite; null if there is none.
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// Returns a copy of a value of SQLite.
Value copyOf(sqlite3_value* value);

/// Sets a parameter of a statement; the first one has the number 1. A text must exist as long as the statement uses it.
/// Errors: returns a result code of SQLite.
int bindValue(sqlite3_stmt* statement, int parameter, const Value& value);

} // namespace helio::sql
