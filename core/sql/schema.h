#pragma once

#include "core/sql/engine/database.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio::sql {

/// Statement that lists the scalar and table-valued functions that queries may call, in lower case and sorted: of the modules, those that
/// are neither modules of tables nor SQLite's own, except json_each and json_tree. Uses only functions that every Database has.
constexpr std::string_view FunctionNames = R"(SELECT DISTINCT lower(name) AS name
FROM (SELECT name FROM pragma_function_list
      UNION SELECT name FROM pragma_module_list
      WHERE name NOT GLOB 'heliograph_*' AND name NOT GLOB 'pragma_*' AND name NOT GLOB 'span_*' AND name NOT GLOB 'fts*'
          AND name NOT GLOB 'rtree*' AND name NOT GLOB 'geopoly*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'bytecode*'
          AND name NOT GLOB 'tables_used*' AND name NOT GLOB 'dbstat*' AND name NOT GLOB 'dbpage*')
WHERE name GLOB '[a-zA-Z]*' AND lower(name) != 'load_extension'
ORDER BY 1)";

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
    std::vector<std::string> modules; ///< Names of the modules that INCLUDE PERFETTO MODULE finds, sorted.
};

/// Reads the names of all tables, columns, functions and modules.
/// Errors: those of Database::run().
Result<Schema> readSchema(Database& database);

/// Returns one sentence that says what a column contains; empty if there is none. The sentence is the same for tables in which the column
/// has the same meaning. Case is ignored.
std::string_view describeColumn(std::string_view table, std::string_view column);

} // namespace helio::sql
