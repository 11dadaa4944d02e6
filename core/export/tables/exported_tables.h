#pragma once

#include "core/export/export_format.h"
#include "core/sql/engine/database.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// A table or view of SQL, with the statement that reads its selected rows.
struct ExportedTable {
    struct Column {
        std::string name;
        std::string type; ///< Declared type of a table's column: INTEGER, REAL or TEXT; empty for computed columns.
    };
    std::string name;
    std::vector<Column> columns;
    std::string select; ///< Statement for the selected rows.
    std::string definition; ///< Statement that creates the view; empty for tables.

    bool isView() const { return !definition.empty(); }

    bool has(std::string_view column) const;
};

/// The tables of SQL over a timeline, and which of their rows a selection contains: rows with times that overlap the range, and rows that
/// belong to the selected hosts, threads, CPUs and views. Rows are never cut. Tables that are functions of their arguments are left out.
///
/// Threads: to be used by one thread.
class ExportedTables {
public:
    /// Errors: Usage if a view is selected, but no table has rows of views; and those of sql::openDatabase().
    static Result<ExportedTables> open(const ExportRequest& request);

    const std::vector<ExportedTable>& tables() const { return m_tables; } ///< Tables first, then views, each sorted by name.
    /// Returns the condition that the selected rows of a table fulfil, for a WHERE clause; "1" if all rows are selected or the table does
    /// not exist.
    std::string condition(std::string_view table) const;
    /// Passes the rows of a query to `receiver`.
    /// Errors: Cancelled after a stop request of the ExportRequest, and those of sql::Database::run().
    Status query(const std::string& statement, sql::RowReceiver& receiver) const;

private:
    using Rows = std::vector<std::vector<sql::Value>>;

    ExportedTables(std::unique_ptr<sql::Database> database, const ExportRequest& request);
    Status listTables();
    Status keepIds(const std::string& table, const std::string& candidates,
                   const std::function<bool(const std::vector<sql::Value>&)>& isSelected);
    Status selectIds();
    Status selectRows();
    std::string placeCondition(const ExportedTable& table) const;
    std::string argumentSelect() const;
    Result<Rows> rows(const std::string& statement) const;

    std::unique_ptr<sql::Database> m_database;
    std::stop_token m_stop;
    SelectedThings m_selected;
    std::vector<ExportedTable> m_tables;
    std::map<std::string, std::string, std::less<>> m_conditions; ///< Conditions of the selected rows, by table; none if all are selected.
};

} // namespace helio
