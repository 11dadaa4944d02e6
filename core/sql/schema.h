#pragma once

#include "core/sql/engine/database.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio::sql {

/// Statement that lists scalar and table-valued functions: the modules that are neither those of tables nor SQLite's own, except json_each
/// and json_tree.
constexpr std::string_view FunctionNames = R"(SELECT name FROM pragma_function_list
UNION SELECT name FROM pragma_module_list
WHERE NOT regexp('^(heliograph_|pragma_|span_|fts|rtree|geopoly|sqlite_|bytecode|tables_used|dbstat|dbpage)', name)
ORDER BY name)";

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

/// Returns one sentence that says what a column contains; empty if there is none. The sentence is the same for tables in which the column
/// has the same meaning. Case is ignored.
std::string_view describeColumn(std::string_view table, std::string_view column);

} // namespace helio::sql
