#pragma once

#include "core/sql/engine/database.h"

struct sqlite3;

namespace helio::sql {

// Add functions of the program to a connection. Return a result code of SQLite.
int addFunction(sqlite3* connection, Function function);
int addAggregate(sqlite3* connection, AggregateFunction function);

} // namespace helio::sql
