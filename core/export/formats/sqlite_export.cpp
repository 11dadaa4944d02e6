#include "core/export/export_format.h"
#include "core/export/tables/exported_tables.h"
#include "core/sql/engine/database_file.h"

#include <algorithm>
#include <array>

namespace helio {
namespace {

/// Columns by which other tables refer to a row, and times. An index makes look-ups and joins fast.
constexpr std::array IndexedColumns{"id", "ts", "utid", "upid", "track_id", "parent_id", "slice_out", "slice_in"};

bool isIndexed(const std::string& table, const std::string& column)
{
    return std::ranges::find(IndexedColumns, column) != IndexedColumns.end() || (table == "args" && column == "arg_set_id");
}

/// Writes the rows of a query to the last table of a file.
class FileRows final : public sql::RowReceiver {
public:
    explicit FileRows(sql::DatabaseFile& file)
        : m_file(file)
    {
    }
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const sql::Value> values) override { return bool(status = m_file.addRow(values)); }

    Status status = Done{};

private:
    sql::DatabaseFile& m_file;
};

Status writeTable(const ExportedTables& tables, const ExportedTable& table, sql::DatabaseFile& file)
{
    std::vector<sql::DatabaseFile::FileColumn> columns;
    for (const ExportedTable::Column& column : table.columns)
        columns.push_back({column.name, column.type});
    if (Status added = file.addTable(table.name, columns); !added)
        return added;
    FileRows rows(file);
    const Status read = tables.query(table.select, rows);
    if (!rows.status)
        return rows.status;
    if (!read)
        return read;
    for (const ExportedTable::Column& column : table.columns)
        if (isIndexed(table.name, column.name))
            if (Status added = file.addIndex(table.name, column.name); !added)
                return added;
    return Done{};
}

Status writeSqlite(const ExportRequest& request, const std::filesystem::path& path)
{
    const auto tables = ExportedTables::open(request);
    if (!tables)
        return tables.error();
    const auto file = sql::DatabaseFile::create(path, request.stop);
    if (!file)
        return file.error();
    std::size_t done = 0;
    for (const ExportedTable& table : tables->tables()) {
        request.report(double(done++) / double(tables->tables().size()));
        const Result<bool> isView = table.isView() ? (*file)->addView(table.name, table.definition) : Result<bool>(false);
        if (!isView)
            return isView.error();
        if (!*isView)
            if (Status written = writeTable(*tables, table, **file); !written)
                return written;
    }
    return (*file)->finish();
}

} // namespace

extern const ExportFormat sqliteExport;
const ExportFormat sqliteExport{
    40,    "sqlite", "SQLite database",     "Database with the tables of SQL; for sqlite3, pandas and Datasette",
    ".db", false,    {.selectsView = true}, writeSqlite};

} // namespace helio
