#include "core/sql/engine/virtual_module.h"

#include "core/sql/engine/guarded.h"
#include "core/sql/engine/sqlite_objects.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sqlite3.h>
#include <vector>

namespace helio::sql {

namespace {

/// Client data of a table's module, which SQLite keeps.
struct Module {
    std::unique_ptr<Table> table;
    std::shared_ptr<const RunningStatement> running;
    std::string schema; ///< Declaration of the table, as SQLite wants it.
};

struct VirtualTable : sqlite3_vtab {
    const Module* module = nullptr;
};

struct VirtualCursor : sqlite3_vtab_cursor {
    std::unique_ptr<Cursor> cursor;
    const Module* module = nullptr;
};

const Module& moduleOf(sqlite3_vtab* table) { return *static_cast<VirtualTable*>(table)->module; }
VirtualCursor& cursorOf(sqlite3_vtab_cursor* cursor) { return *static_cast<VirtualCursor*>(cursor); }

std::string_view nameOf(ColumnType type)
{
    switch (type) {
    case ColumnType::Integer: return "INTEGER";
    case ColumnType::Real: return "REAL";
    case ColumnType::Text: return "TEXT";
    }
    return "";
}

std::string schemaOf(const Table& table)
{
    std::string schema = "CREATE TABLE x(";
    for (const Column& column : table.columns()) {
        if (schema.back() != '(')
            schema += ", ";
        schema.append("\"").append(column.name).append("\" ").append(nameOf(column.type));
    }
    return schema + ")";
}

int connectTable(sqlite3* connection, void* data, int, const char* const*, sqlite3_vtab** out, char**)
{
    return guarded([&] {
        const auto* const module = static_cast<const Module*>(data);
        if (const int code = sqlite3_declare_vtab(connection, module->schema.c_str()); code != SQLITE_OK)
            return code;
        auto table = std::make_unique<VirtualTable>();
        table->module = module;
        *out = table.release();
        return SQLITE_OK;
    });
}

int disconnectTable(sqlite3_vtab* table)
{
    delete static_cast<VirtualTable*>(table);
    return SQLITE_OK;
}

std::optional<Condition::Operator> operatorOf(unsigned char code)
{
    switch (code) {
    case SQLITE_INDEX_CONSTRAINT_EQ: return Condition::Operator::Equal;
    case SQLITE_INDEX_CONSTRAINT_LT: return Condition::Operator::Less;
    case SQLITE_INDEX_CONSTRAINT_LE: return Condition::Operator::LessEqual;
    case SQLITE_INDEX_CONSTRAINT_GT: return Condition::Operator::Greater;
    case SQLITE_INDEX_CONSTRAINT_GE: return Condition::Operator::GreaterEqual;
    default: return {};
    }
}

bool canUse(const Column& column, Condition::Operator comparison)
{
    return column.search == Search::Ordered || (column.search == Search::Equal && comparison == Condition::Operator::Equal);
}

/// Expected share of the rows that fulfil a condition. Only the order of plans matters.
double shareAllowed(Condition::Operator comparison)
{
    constexpr double OfRange = 0.25;
    constexpr double OfValue = 0.001;
    return comparison == Condition::Operator::Equal ? OfValue : OfRange;
}

/// The plan of a query, passed as text from the planner to the cursor: the mask of the columns that are read, then column and operator of
/// each condition, in the order of the values.
std::string planText(std::uint64_t columnsRead, const std::vector<std::pair<int, Condition::Operator>>& conditions)
{
    std::string text = std::to_string(columnsRead);
    for (const auto& [column, comparison] : conditions)
        text.append(" ").append(std::to_string(column)).append(" ").append(std::to_string(static_cast<int>(comparison)));
    return text;
}

int planQuery(sqlite3_vtab* of, sqlite3_index_info* info)
{
    return guarded([&] {
        const Table& table = *moduleOf(of).table;
        const auto columns = table.columns();
        double rows = std::max(1.0, table.estimatedRows());
        std::vector<std::pair<int, Condition::Operator>> conditions;
        for (int i = 0; i < info->nConstraint; ++i) {
            const auto& constraint = info->aConstraint[i];
            const auto comparison = operatorOf(constraint.op);
            if (constraint.usable == 0 || !comparison || constraint.iColumn < 0
                || static_cast<std::size_t>(constraint.iColumn) >= columns.size())
                continue;
            const Column& column = columns[static_cast<std::size_t>(constraint.iColumn)];
            if (!canUse(column, *comparison))
                continue;
            if (column.type == ColumnType::Text && sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)
                continue; // Tables compare texts byte by byte.
            conditions.emplace_back(constraint.iColumn, *comparison);
            info->aConstraintUsage[i].argvIndex = static_cast<int>(conditions.size());
            if (column.isUnique && *comparison == Condition::Operator::Equal) {
                rows = 1;
                info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
            } else {
                rows = std::max(1.0, rows * shareAllowed(*comparison));
            }
        }
        if (info->nOrderBy == 1 && info->aOrderBy[0].desc == 0 && info->aOrderBy[0].iColumn >= 0
            && columns[static_cast<std::size_t>(info->aOrderBy[0].iColumn)].search == Search::Ordered)
            info->orderByConsumed = 1;
        const std::string plan = planText(info->colUsed, conditions);
        info->idxStr = sqlite3_mprintf("%s", plan.c_str());
        if (!info->idxStr)
            return SQLITE_NOMEM;
        info->needToFreeIdxStr = 1;
        info->estimatedRows = static_cast<sqlite3_int64>(std::min(rows, 1e15));
        info->estimatedCost = rows + 10;
        return SQLITE_OK;
    });
}

int openCursor(sqlite3_vtab* table, sqlite3_vtab_cursor** out)
{
    return guarded([&] {
        auto cursor = std::make_unique<VirtualCursor>();
        cursor->module = &moduleOf(table);
        cursor->cursor = cursor->module->table->open();
        *out = cursor.release();
        return SQLITE_OK;
    });
}

int closeCursor(sqlite3_vtab_cursor* cursor)
{
    delete &cursorOf(cursor);
    return SQLITE_OK;
}

Filter filterOf(std::string_view plan, int count, sqlite3_value** values, std::stop_token stop)
{
    const char* at = plan.data();
    const char* const end = at + plan.size();
    const auto number = [&]<typename T>(T& value) {
        at = std::from_chars(at, end, value).ptr;
        at += at != end;
    };
    std::uint64_t columnsRead = 0;
    number(columnsRead);
    std::vector<Condition> conditions;
    for (int i = 0; i < count; ++i) {
        int column = 0;
        int comparison = 0;
        number(column);
        number(comparison);
        conditions.push_back({column, static_cast<Condition::Operator>(comparison), copyOf(values[i])});
    }
    return {std::move(conditions), columnsRead, std::move(stop)};
}

int startCursor(sqlite3_vtab_cursor* of, int, const char* plan, int count, sqlite3_value** values)
{
    return guarded([&] {
        VirtualCursor& cursor = cursorOf(of);
        cursor.cursor->start(filterOf(plan, count, values, cursor.module->running->stop));
        return SQLITE_OK;
    });
}

int moveToNext(sqlite3_vtab_cursor* cursor)
{
    return guarded([&] {
        cursorOf(cursor).cursor->next();
        return SQLITE_OK;
    });
}

int isAtEnd(sqlite3_vtab_cursor* cursor) { return cursorOf(cursor).cursor->isAtEnd() ? 1 : 0; }

int writeColumn(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column)
{
    return guarded([&] {
        cursorOf(cursor).cursor->write(column, ValueSink(context));
        return SQLITE_OK;
    });
}

int writeRowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* out)
{
    return guarded([&] {
        *out = cursorOf(cursor).cursor->rowId();
        return SQLITE_OK;
    });
}

sqlite3_module makeMethods()
{
    sqlite3_module module{};
    module.iVersion = 1;
    module.xCreate = connectTable;
    module.xConnect = connectTable;
    module.xBestIndex = planQuery;
    module.xDisconnect = disconnectTable;
    module.xDestroy = disconnectTable;
    module.xOpen = openCursor;
    module.xClose = closeCursor;
    module.xFilter = startCursor;
    module.xNext = moveToNext;
    module.xEof = isAtEnd;
    module.xColumn = writeColumn;
    module.xRowid = writeRowId;
    return module;
}

} // namespace

std::string addTable(sqlite3* connection, const std::string& name, std::unique_ptr<Table> table,
                     std::shared_ptr<const RunningStatement> running)
{
    static const sqlite3_module Methods = makeMethods();
    auto module = std::make_unique<Module>();
    module->schema = schemaOf(*table);
    module->table = std::move(table);
    module->running = std::move(running);
    const std::string moduleName = "heliograph_" + name;
    const int code = sqlite3_create_module_v2(connection, moduleName.c_str(), &Methods, module.release(),
                                              [](void* data) { delete static_cast<Module*>(data); });
    if (code != SQLITE_OK)
        return sqlite3_errmsg(connection);
    const std::string statement = "CREATE VIRTUAL TABLE \"" + name + "\" USING \"" + moduleName + "\"";
    return sqlite3_exec(connection, statement.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK ? std::string() : sqlite3_errmsg(connection);
}

} // namespace helio::sql
