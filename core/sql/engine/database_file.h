#pragma once

#include "core/base/result.h"
#include "core/sql/engine/filter.h"
#include "core/sql/engine/table.h"

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::sql {

/// A new database file, to which tables are written one after the other.
///
/// Threads: to be used by one thread.
/// Memory: bounded; rows go to the file, and indices are sorted in temporary files.
/// Errors: Cancelled after a stop request; Full or Unreadable if the file cannot be written. The file is then incomplete.
class DatabaseFile {
public:
    struct FileColumn {
        std::string name;
        std::string type; ///< INTEGER, REAL or TEXT; empty for a column of mixed types.
    };

    /// Creates the file, which must not exist yet.
    static Result<std::unique_ptr<DatabaseFile>> create(const std::filesystem::path& path, std::stop_token stop);
    virtual ~DatabaseFile() = default;

    /// Creates a table, to which the following rows are added.
    virtual Status addTable(const std::string& name, std::span<const FileColumn> columns) = 0;
    /// Adds a row to the last table. `values` has one value for each column.
    virtual Status addRow(std::span<const Value> values) = 0;
    virtual Status addIndex(const std::string& table, const std::string& column) = 0;
    /// Creates a view by its definition (CREATE VIEW ...). Returns false if a database without functions of the program cannot read the
    /// view; the view is then not created.
    virtual Result<bool> addView(const std::string& name, const std::string& definition) = 0;
    /// Completes the file and closes it.
    virtual Status finish() = 0;
};

} // namespace helio::sql
