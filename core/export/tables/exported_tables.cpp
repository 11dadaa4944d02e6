#include "core/export/tables/exported_tables.h"

#include "core/sql/open_database.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace helio {
namespace {

/// Keeps the rows of a small result.
class RowList final : public sql::RowReceiver {
public:
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const sql::Value> values) override
    {
        rows.emplace_back(values.begin(), values.end());
        return true;
    }
    std::vector<std::vector<sql::Value>> rows;
};

std::string textOf(const sql::Value& value)
{
    const auto* text = std::get_if<std::string>(&value);
    return text ? *text : std::string();
}

/// Returns the condition that a table's rows overlap a time range; empty if all do or the rows have no times.
std::string timeCondition(const ExportedTable& table, TimeRange range)
{
    if (!table.has("ts"))
        return {};
    std::string condition;
    if (range.end != Timestamp::max())
        condition = fmt::format("ts < {}", nanoseconds(range.end));
    if (range.begin == Timestamp::min())
        return condition;
    condition += condition.empty() ? "" : " AND ";
    const std::int64_t begin = nanoseconds(range.begin);
    return condition + (table.has("dur") ? fmt::format("(ts >= {0} OR dur < 0 OR ts + dur > {0})", begin) : fmt::format("ts >= {}", begin));
}

} // namespace

bool ExportedTable::has(std::string_view column) const { return std::ranges::find(columns, column, &Column::name) != columns.end(); }

Result<ExportedTables> ExportedTables::open(const ExportRequest& request)
{
    auto database = sql::openDatabase(request.timeline);
    if (!database)
        return database.error();
    ExportedTables tables(std::move(*database), request.stop);
    if (const Status listed = tables.listTables(); !listed)
        return listed.error();
    if (const Status selected = tables.select(request); !selected)
        return selected.error();
    return tables;
}

Result<std::vector<std::vector<sql::Value>>> ExportedTables::rows(const std::string& statement) const
{
    RowList list;
    if (const Status done = m_database->run(statement, list, {.stop = m_stop}); !done)
        return done.error();
    return std::move(list.rows);
}

Status ExportedTables::listTables()
{
    const auto named = rows("SELECT name, type = 'view' FROM pragma_table_list WHERE schema = 'main' AND type IN ('view', 'virtual') "
                            "AND name NOT LIKE 'sqlite_%' ORDER BY type = 'view', name");
    if (!named)
        return named.error();
    for (const auto& row : *named) {
        ExportedTable table;
        table.name = textOf(row[0]);
        table.isView = std::get<std::int64_t>(row[1]) != 0;
        const auto columns = rows("SELECT name, type, hidden FROM pragma_table_xinfo(" + sql::quoted(table.name) + ")");
        if (!columns)
            return columns.error();
        bool isFunction = false;
        for (const auto& column : *columns) {
            table.columns.push_back({textOf(column[0]), textOf(column[1])});
            isFunction = isFunction || std::get<std::int64_t>(column[2]) == 1; // Arguments of functions are hidden columns.
        }
        if (!isFunction)
            m_tables.push_back(std::move(table));
    }
    return Done{};
}

Status ExportedTables::select(const ExportRequest& request)
{
    for (ExportedTable& table : m_tables) {
        table.select = "SELECT * FROM \"" + table.name + '"';
        if (const std::string condition = timeCondition(table, request.selection.range); !condition.empty())
            table.select += " WHERE " + condition;
    }
    return Done{};
}

Status ExportedTables::read(const ExportedTable& table, sql::RowReceiver& receiver) const
{
    return m_database->run(table.select, receiver, {.stop = m_stop});
}

} // namespace helio
