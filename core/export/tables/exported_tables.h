#pragma once

#include "core/export/export_format.h"
#include "core/sql/engine/database.h"

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
    bool isView = false;

    bool has(std::string_view column) const;
};

/// The tables of SQL over a timeline, and which of their rows a selection contains: rows with times that overlap the range, and rows that
/// belong to the selected hosts, threads and CPUs. Rows are never cut. Tables that are functions of their arguments are left out.
///
/// Threads: to be used by one thread.
class ExportedTables {
public:
    static Result<ExportedTables> open(const ExportRequest& request);

    const std::vector<ExportedTable>& tables() const { return m_tables; }
    /// Passes the selected rows of a table to `receiver`.
    /// Errors: Cancelled after a stop request of the ExportRequest, and those of sql::Database::run().
    Status read(const ExportedTable& table, sql::RowReceiver& receiver) const;

private:
    ExportedTables(std::unique_ptr<sql::Database> database, std::stop_token stop)
        : m_database(std::move(database))
        , m_stop(std::move(stop))
    {
    }
    Status listTables();
    Status select(const ExportRequest& request);
    Result<std::vector<std::vector<sql::Value>>> rows(const std::string& statement) const;

    std::unique_ptr<sql::Database> m_database;
    std::stop_token m_stop;
    std::vector<ExportedTable> m_tables; ///< Tables first, then views.
};

} // namespace helio
