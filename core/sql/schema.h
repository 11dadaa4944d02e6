#pragma once

#include "core/sql/engine/database.h"

#include <string>
#include <vector>

namespace helio::sql {

struct SchemaColumn {
    std::string name;
    std::string type; ///< Declared type, e.g. "INTEGER"; empty for a computed column of a view.
};

struct SchemaTable {
    std::string name;
    bool isView = false;
    std::vector<SchemaColumn> columns;
};

/// Names that a query can use.
struct Schema {
    std::vector<SchemaTable> tables; ///< Tables and views, sorted by name, also those that statements of the user created.
    std::vector<std::string> functions; ///< Names of functions, in lower case, sorted.
};

/// Reads the names of all tables, columns and functions.
/// Errors: those of Database::run().
Result<Schema> readSchema(Database& database);

} // namespace helio::sql
