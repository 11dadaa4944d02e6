#pragma once

#include "core/sql/engine/table.h"

#include <memory>
#include <stop_token>
#include <string>

struct sqlite3;

namespace helio::sql {

/// Source of the stop token of the statement that runs; shared by a database and the cursors of its tables.
struct RunningStatement {
    std::stop_token stop;
};

/// Makes a table known to SQLite under a name: as a virtual table of the schema, or, if its columns include arguments, as a table-valued
/// function.
/// Ownership: SQLite keeps `table` and `running` until the connection is closed.
/// Errors: returns SQLite's message; empty if the table was added.
std::string addTable(sqlite3* connection, const std::string& name, std::unique_ptr<Table> table,
                     std::shared_ptr<const RunningStatement> running);

} // namespace helio::sql
