#include "core/sql/engine/virtual_module.h"

#include "core/sql/dialect/tokens.h"
#include "core/sql/engine/guarded.h"
#include "core/sql/engine/sqlite_objects.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <sqlite3.h>
#include <stdexcept>
#include <vector>

namespace helio::sql {

namespace {

/// Client data of a table's module, which SQLite keeps.
struct Module {
    std::unique_ptr<Table> table;
    std::shared_ptr<const RunningStatement> running;
    std::string schema; ///< Declaration of the table, as SQLite wants it.
    std::string name;
    std::uint64_t arguments = 0; ///< Mask of the columns that are arguments; 0 unless the table is a table-valued function.
    std::uint64_t optional = 0; ///< Mask of the columns that are optional arguments.
};

struct VirtualTable : sqlite3_vtab {
    const Module* module = nullptr;
};

struct VirtualCursor : sqlite3_vtab_cursor {
    std::unique_ptr<Cursor> cursor;
    const Module* module = nullptr;
    std::vector<std::pair<int, Value>> arguments{}; ///< Values of the columns that are arguments.
    bool isEmpty = false; ///< True if a condition compares with NULL, so that there are no rows.
};

const Module& moduleOf(sqlite3_vtab* table) { return *static_cast<VirtualTable*>(table)->module; }
VirtualCursor& cursorOf(sqlite3_vtab_cursor* cursor) { return *static_cast<VirtualCursor*>(cursor); }

/// Sets the message of an error for SQLite, and returns the result code of the error.
int fail(sqlite3_vtab* table, const std::string& message)
{
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", message.c_str());
    return table->zErrMsg ? SQLITE_ERROR : SQLITE_NOMEM;
}

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
        schema.append(quotedName(column.name)).append(" ").append(nameOf(column.type));
        if (column.role != ColumnRole::Shown)
            schema += " HIDDEN";
    }
    return schema + ")";
}

std::uint64_t columnsWithRole(const Table& table, ColumnRole role)
{
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < table.columns().size() && i < 64; ++i)
        if (table.columns()[i].role == role)
            mask |= std::uint64_t{1} << i;
    return mask;
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

/// The plan of a query, passed as text from the planner to the cursor: the mask of the columns that are read, the mask of the optional
/// arguments that SQLite compares again, then column and operator of each condition, in the order of the values.
std::string planText(std::uint64_t columnsRead, std::uint64_t comparedAgain,
                     const std::vector<std::pair<int, Condition::Operator>>& conditions)
{
    std::string text = std::to_string(columnsRead) + ' ' + std::to_string(comparedAgain);
    for (const auto& [column, comparison] : conditions)
        text.append(" ").append(std::to_string(column)).append(" ").append(std::to_string(static_cast<int>(comparison)));
    return text;
}

/// Checks that a query gives each argument of a table-valued function. Returns SQLITE_CONSTRAINT if it does, but not in the order of
/// joins that SQLite considers.
int checkArguments(sqlite3_vtab* of, const sqlite3_index_info& info)
{
    const Module& module = moduleOf(of);
    std::uint64_t missing = module.arguments;
    std::uint64_t given = 0;
    std::uint64_t usable = 0;
    for (int i = 0; i < info.nConstraint; ++i) {
        const auto& constraint = info.aConstraint[i];
        if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || constraint.iColumn < 0 || constraint.iColumn > 63)
            continue;
        given |= std::uint64_t{1} << constraint.iColumn;
        if (constraint.usable != 0)
            usable |= std::uint64_t{1} << constraint.iColumn;
    }
    missing &= ~given;
    if (missing == 0)
        return (given & ~usable & (module.arguments | module.optional)) == 0 ? SQLITE_OK : SQLITE_CONSTRAINT;
    const std::string_view first = module.table->columns()[static_cast<std::size_t>(std::countr_zero(missing))].name;
    return fail(of, module.name + "(): the argument " + std::string(first) + " is missing");
}

int planQuery(sqlite3_vtab* of, sqlite3_index_info* info)
{
    return guarded([&] {
        if (const int code = checkArguments(of, *info); code != SQLITE_OK)
            return code;
        const Table& table = *moduleOf(of).table;
        const auto columns = table.columns();
        double rows = std::max(1.0, table.estimatedRows());
        std::vector<std::pair<int, Condition::Operator>> conditions;
        std::uint64_t comparedAgain = 0;
        for (int i = 0; i < info->nConstraint; ++i) {
            const auto& constraint = info->aConstraint[i];
            const auto comparison = operatorOf(constraint.op);
            if (constraint.usable == 0 || !comparison || constraint.iColumn < 0
                || static_cast<std::size_t>(constraint.iColumn) >= columns.size())
                continue;
            const Column& column = columns[static_cast<std::size_t>(constraint.iColumn)];
            if (!canUse(column, *comparison))
                continue;
            const bool isArgument = column.role == ColumnRole::Argument || column.role == ColumnRole::OptionalArgument;
            if (column.type == ColumnType::Text && !isArgument && sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)
                continue; // Tables compare texts byte by byte.
            conditions.emplace_back(constraint.iColumn, *comparison);
            info->aConstraintUsage[i].argvIndex = static_cast<int>(conditions.size());
            if (column.role == ColumnRole::OptionalArgument) { // No value equals NULL, which SQLite would check.
                info->aConstraintUsage[i].omit = 1;
                constexpr int MostOmitted = 16; // SQLite checks conditions from this number on again, whatever `omit` says.
                comparedAgain |= i < MostOmitted ? 0 : std::uint64_t{1} << constraint.iColumn;
            }
            if (column.isUnique && *comparison == Condition::Operator::Equal) {
                rows = 1;
                info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
            } else if (!isArgument) {
                rows = std::max(1.0, rows * shareAllowed(*comparison));
            }
        }
        if (info->nOrderBy == 1 && info->aOrderBy[0].desc == 0 && info->aOrderBy[0].iColumn >= 0
            && columns[static_cast<std::size_t>(info->aOrderBy[0].iColumn)].search == Search::Ordered)
            info->orderByConsumed = 1;
        const std::string plan = planText(info->colUsed, comparedAgain, conditions);
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

/// A plan with the values of its conditions.
struct Request {
    Filter filter;
    std::uint64_t comparedAgain = 0; ///< Mask of the optional arguments that SQLite compares with their values again.
};

Request requestOf(std::string_view plan, int count, sqlite3_value** values, std::stop_token stop)
{
    const char* at = plan.data();
    const char* const end = at + plan.size();
    const auto number = [&]<typename T>(T& value) {
        at = std::from_chars(at, end, value).ptr;
        at += at != end;
    };
    std::uint64_t columnsRead = 0;
    number(columnsRead);
    std::uint64_t comparedAgain = 0;
    number(comparedAgain);
    std::vector<Condition> conditions;
    for (int i = 0; i < count; ++i) {
        int column = 0;
        int comparison = 0;
        number(column);
        number(comparison);
        conditions.push_back({column, static_cast<Condition::Operator>(comparison), copyOf(values[i])});
    }
    return {{std::move(conditions), columnsRead, std::move(stop)}, comparedAgain};
}

/// Keeps the arguments of a table-valued function, which the request contains.
/// Errors: returns a message if an argument has a wrong type.
std::string keepArguments(VirtualCursor& cursor, const Request& request)
{
    const Filter& filter = request.filter;
    cursor.arguments.clear();
    const auto columns = cursor.module->table->columns();
    for (std::uint64_t rest = cursor.module->arguments | cursor.module->optional; rest != 0; rest &= rest - 1) {
        const int column = std::countr_zero(rest);
        const Column& description = columns[static_cast<std::size_t>(column)];
        const Value* const value = filter.equalValue(column);
        if (!value || std::holds_alternative<std::monostate>(*value)) {
            if (value && (request.comparedAgain >> column & 1) != 0)
                return cursor.module->name + "(): more than 15 conditions beside the argument " + std::string(description.name)
                    + ", which is NULL; leave it out, or put the conditions into an outer query";
            if (description.role == ColumnRole::OptionalArgument)
                cursor.arguments.emplace_back(column, std::monostate());
            continue; // With NULL for an argument that is not optional, the call has no rows.
        }
        if (description.type == ColumnType::Integer && !filter.equal(column))
            return cursor.module->name + "(): the argument " + std::string(description.name) + " must be an integer";
        if (description.type == ColumnType::Real && std::holds_alternative<std::string>(*value))
            return cursor.module->name + "(): the argument " + std::string(description.name) + " must be a number";
        cursor.arguments.emplace_back(column, *value);
    }
    return {};
}

int startCursor(sqlite3_vtab_cursor* of, int, const char* plan, int count, sqlite3_value** values)
{
    return guarded([&] {
        VirtualCursor& cursor = cursorOf(of);
        const Request request = requestOf(plan, count, values, cursor.module->running->stop);
        if (const std::string problem = keepArguments(cursor, request); !problem.empty())
            return fail(of->pVtab, problem);
        const Filter& filter = request.filter;
        cursor.isEmpty = filter.comparesWithNull(cursor.module->optional);
        try {
            if (!cursor.isEmpty)
                cursor.cursor->start(filter);
        } catch (const std::invalid_argument& error) {
            return fail(of->pVtab, cursor.module->name + "(): " + error.what());
        }
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

int isAtEnd(sqlite3_vtab_cursor* of)
{
    const VirtualCursor& cursor = cursorOf(of);
    return cursor.isEmpty || cursor.cursor->isAtEnd() ? 1 : 0;
}

int writeColumn(sqlite3_vtab_cursor* of, sqlite3_context* context, int column)
{
    return guarded([&] {
        const VirtualCursor& cursor = cursorOf(of);
        const auto argument = std::ranges::find(cursor.arguments, column, [](const auto& it) { return it.first; });
        if (argument != cursor.arguments.end())
            ValueSink(context).value(argument->second);
        else
            cursor.cursor->write(column, ValueSink(context));
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

/// Returns the methods of tables, or of table-valued functions: a module without `xCreate` is a table of its own name, which belongs to no
/// schema.
sqlite3_module makeTableMethods(bool isFunction)
{
    sqlite3_module module{};
    module.iVersion = 1;
    module.xCreate = isFunction ? nullptr : connectTable;
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
    static const sqlite3_module TableMethods = makeTableMethods(false);
    static const sqlite3_module FunctionMethods = makeTableMethods(true);
    auto module = std::make_unique<Module>();
    module->schema = schemaOf(*table);
    module->table = std::move(table);
    module->running = std::move(running);
    module->name = name;
    module->arguments = columnsWithRole(*module->table, ColumnRole::Argument);
    module->optional = columnsWithRole(*module->table, ColumnRole::OptionalArgument);
    const bool isFunction = module->arguments != 0;
    const std::string moduleName = isFunction ? name : "heliograph_" + name;
    const int code = sqlite3_create_module_v2(connection, moduleName.c_str(), isFunction ? &FunctionMethods : &TableMethods,
                                              module.release(), [](void* data) { delete static_cast<Module*>(data); });
    if (code != SQLITE_OK)
        return sqlite3_errmsg(connection);
    if (isFunction)
        return {};
    const std::string statement = "CREATE VIRTUAL TABLE " + quotedName(name) + " USING " + quotedName(moduleName);
    return sqlite3_exec(connection, statement.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK ? std::string() : sqlite3_errmsg(connection);
}

} // namespace helio::sql
