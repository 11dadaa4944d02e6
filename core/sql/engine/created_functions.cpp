#include "core/sql/engine/created_functions.h"

#include "core/sql/dialect/tokens.h"
#include "core/sql/engine/guarded.h"

#include <algorithm>
#include <sqlite3.h>
#include <utility>
#include <vector>

namespace helio::sql {

/// State that all functions of a database share.
struct CreatedFunctions::Shared {
    sqlite3* connection = nullptr;
    std::shared_ptr<const RunningStatement> running;
    int depth = 0; ///< Number of functions that run within each other.
};

struct CreatedFunctions::Definition {
    std::shared_ptr<const CreateFunction> function;
    std::shared_ptr<Shared> shared;
    std::vector<Statement> idle; ///< Prepared statements that no call uses.
};

namespace {

using Shared = CreatedFunctions::Shared;
using Definition = CreatedFunctions::Definition;

std::string_view nameOfType(int type)
{
    switch (type) {
    case SQLITE_INTEGER: return "an integer";
    case SQLITE_FLOAT: return "a real number";
    case SQLITE_TEXT: return "a text";
    case SQLITE_BLOB: return "a blob";
    default: return "NULL";
    }
}

/// True if a value of SQLite's type `actual` may be an argument or a result of the declared type. NULL always may.
bool isAllowed(DeclaredType declared, int actual)
{
    if (actual == SQLITE_NULL)
        return true;
    switch (declared) {
    case DeclaredType::Any: return true;
    case DeclaredType::Integer: return actual == SQLITE_INTEGER;
    case DeclaredType::Real: return actual == SQLITE_FLOAT || actual == SQLITE_INTEGER;
    case DeclaredType::Text: return actual == SQLITE_TEXT;
    case DeclaredType::Blob: return actual == SQLITE_BLOB;
    }
    return false;
}

/// One call of a function: its statement, which the destructor returns to the function for the next call.
class FunctionCall {
public:
    explicit FunctionCall(std::shared_ptr<Definition> definition)
        : m_definition(std::move(definition))
    {
    }
    FunctionCall(const FunctionCall&) = delete;
    FunctionCall& operator=(const FunctionCall&) = delete;
    ~FunctionCall() { release(); }

    const CreateFunction& function() const { return *m_definition->function; }
    sqlite3_stmt* statement() const { return m_statement.get(); }
    const std::string& problem() const { return m_problem; } ///< Message of the last error; empty if only the code says what it is.

    /// Prepares the statement and sets its parameters to `values`, one for each argument. Returns a result code of SQLite.
    int start(sqlite3_value** values)
    {
        release();
        const CreateFunction& function = *m_definition->function;
        for (std::size_t i = 0; i < function.arguments.size(); ++i)
            if (const int type = sqlite3_value_type(values[i]); !isAllowed(function.arguments[i].type, type))
                return fail("argument " + function.arguments[i].name + " must be " + function.arguments[i].typeName + ", not "
                            + std::string(nameOfType(type)));
        if (m_definition->idle.empty()) {
            sqlite3_stmt* made = nullptr;
            const std::string& text = function.select.text();
            const int code =
                sqlite3_prepare_v2(m_definition->shared->connection, text.data(), static_cast<int>(text.size()), &made, nullptr);
            if (code != SQLITE_OK)
                return fail(code);
            m_statement.reset(made);
        } else {
            m_statement = std::move(m_definition->idle.back());
            m_definition->idle.pop_back();
        }
        for (int i = 1; i <= sqlite3_bind_parameter_count(statement()); ++i) {
            const char* const name = sqlite3_bind_parameter_name(statement(), i);
            const auto argument = std::ranges::find_if(function.arguments,
                                                       [name](const DeclaredColumn& it) { return name && areSameName(name + 1, it.name); });
            if (argument == function.arguments.end())
                continue;
            sqlite3_value* const value = values[argument - function.arguments.begin()];
            const bool isMadeReal = argument->type == DeclaredType::Real && sqlite3_value_type(value) == SQLITE_INTEGER;
            const int code =
                isMadeReal ? sqlite3_bind_double(statement(), i, sqlite3_value_double(value)) : sqlite3_bind_value(statement(), i, value);
            if (code != SQLITE_OK)
                return fail(code);
        }
        return SQLITE_OK;
    }

    /// Moves to the next row. Returns SQLITE_ROW, SQLITE_DONE or the code of an error.
    int next()
    {
        Shared& shared = *m_definition->shared;
        if (shared.running->stop.stop_requested())
            return SQLITE_INTERRUPT;
        if (shared.depth == CreatedFunctions::MostNested)
            return fail("more than " + std::to_string(CreatedFunctions::MostNested) + " functions call each other");
        ++shared.depth;
        const int code = sqlite3_step(statement());
        --shared.depth;
        if (code != SQLITE_ROW && code != SQLITE_DONE)
            return fail(code);
        // A table's cursor ends early after a stop request, so that the row may be wrong.
        return shared.running->stop.stop_requested() ? SQLITE_INTERRUPT : code;
    }

    int fail(const std::string& what)
    {
        m_problem = function().name + "(): " + what;
        return SQLITE_ERROR;
    }

    void release()
    {
        if (!m_statement)
            return;
        sqlite3_reset(statement());
        sqlite3_clear_bindings(statement());
        m_definition->idle.push_back(std::move(m_statement));
    }

private:
    /// Keeps the message of SQLite's last error. A message of a function within this one says which function has the problem.
    int fail(int code)
    {
        code &= 0xff;
        if (code == SQLITE_INTERRUPT || code == SQLITE_NOMEM || code == SQLITE_FULL)
            return code;
        m_problem = sqlite3_errmsg(m_definition->shared->connection);
        if (m_problem.find("(): ") == std::string::npos)
            m_problem.insert(0, function().name + "(): ");
        return code;
    }

    std::shared_ptr<Definition> m_definition;
    Statement m_statement;
    std::string m_problem;
};

std::shared_ptr<Definition>& definitionIn(void* data) { return *static_cast<std::shared_ptr<Definition>*>(data); }
void deleteDefinition(void* data) { delete static_cast<std::shared_ptr<Definition>*>(data); }

void reportError(sqlite3_context* context, int code, const std::string& problem)
{
    if (!problem.empty())
        sqlite3_result_error(context, problem.c_str(), -1);
    if (problem.empty() || (code != SQLITE_ERROR && code != SQLITE_ROW))
        sqlite3_result_error_code(context, code);
}

/// Sets the result of a function that returns a value: the only value of the only row, or NULL without rows.
int computeValue(sqlite3_context* context, FunctionCall& call, sqlite3_value** values)
{
    int code = call.start(values);
    if (code == SQLITE_OK)
        code = call.next();
    if (code != SQLITE_ROW)
        return code == SQLITE_DONE ? SQLITE_OK : code;
    const DeclaredColumn& declared = call.function().result;
    const int type = sqlite3_column_type(call.statement(), 0);
    if (!isAllowed(declared.type, type))
        return call.fail("the result must be " + declared.typeName + ", not " + std::string(nameOfType(type)));
    if (declared.type == DeclaredType::Real && type == SQLITE_INTEGER)
        sqlite3_result_double(context, sqlite3_column_double(call.statement(), 0));
    else
        sqlite3_result_value(context, sqlite3_column_value(call.statement(), 0));
    code = call.next();
    if (code == SQLITE_ROW)
        return call.fail("the function found more than one row");
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

void callScalar(sqlite3_context* context, int, sqlite3_value** values)
{
    const int code = guarded([&] {
        FunctionCall call(definitionIn(sqlite3_user_data(context)));
        const int result = computeValue(context, call, values);
        if (result != SQLITE_OK)
            reportError(context, result, call.problem());
        return SQLITE_OK;
    });
    if (code != SQLITE_OK)
        sqlite3_result_error_code(context, code);
}

struct FunctionTable : sqlite3_vtab {
    std::shared_ptr<Definition> definition;
    std::size_t columns = 0;

    int fail(int code, const std::string& problem)
    {
        sqlite3_free(zErrMsg);
        zErrMsg = problem.empty() ? nullptr : sqlite3_mprintf("%s", problem.c_str());
        return code;
    }
};

struct FunctionCursor : sqlite3_vtab_cursor {
    explicit FunctionCursor(std::shared_ptr<Definition> definition)
        : sqlite3_vtab_cursor{}
        , call(std::move(definition))
    {
    }
    FunctionCall call;
    std::vector<int> sources; ///< Column of the statement for each declared column.
    std::vector<Value> arguments; ///< Values of the columns behind the declared ones, with which SQLite may compare again.
    std::int64_t row = 0;
    bool isAtEnd = true;
};

FunctionTable& tableOf(sqlite3_vtab* table) { return *static_cast<FunctionTable*>(table); }
FunctionCursor& callCursorOf(sqlite3_vtab_cursor* cursor) { return *static_cast<FunctionCursor*>(cursor); }

int connectFunction(sqlite3* connection, void* data, int, const char* const*, sqlite3_vtab** out, char**)
{
    return guarded([&] {
        auto table = std::make_unique<FunctionTable>();
        table->definition = definitionIn(data);
        const CreateFunction& function = *table->definition->function;
        table->columns = function.columns.size();
        std::string schema = "CREATE TABLE x(";
        for (const DeclaredColumn& column : function.columns)
            schema.append(quotedName(column.name)).append(" ").append(sqlTypeOf(column.type)).append(", ");
        // No column of the result can have a name with a dollar sign at its begin.
        for (const DeclaredColumn& argument : function.arguments)
            schema.append(quotedName("$" + argument.name)).append(" HIDDEN, ");
        schema.replace(schema.size() - 2, 2, ")");
        if (const int code = sqlite3_declare_vtab(connection, schema.c_str()); code != SQLITE_OK)
            return code;
        *out = table.release();
        return SQLITE_OK;
    });
}

int disconnectFunction(sqlite3_vtab* table)
{
    delete &tableOf(table);
    return SQLITE_OK;
}

int planCall(sqlite3_vtab* of, sqlite3_index_info* info)
{
    return guarded([&] {
        FunctionTable& table = tableOf(of);
        const CreateFunction& function = *table.definition->function;
        std::vector<int> uses(function.arguments.size(), -1);
        bool canPlan = true;
        for (int i = 0; i < info->nConstraint; ++i) {
            const auto& constraint = info->aConstraint[i];
            const int argument = constraint.iColumn - static_cast<int>(table.columns);
            if (argument < 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ)
                continue;
            int& use = uses[static_cast<std::size_t>(argument)];
            if (constraint.usable != 0)
                use = i;
            else if (use < 0)
                use = -2;
        }
        for (std::size_t i = 0; i < uses.size(); ++i) {
            if (uses[i] == -1)
                return table.fail(SQLITE_ERROR, function.name + "(): argument " + function.arguments[i].name + " is missing");
            canPlan = canPlan && uses[i] >= 0;
        }
        if (!canPlan)
            return SQLITE_CONSTRAINT;
        for (std::size_t i = 0; i < uses.size(); ++i) {
            auto& usage = info->aConstraintUsage[uses[i]];
            usage.argvIndex = static_cast<int>(i) + 1;
            usage.omit = 1;
        }
        constexpr double ExpectedRows = 100;
        info->estimatedCost = ExpectedRows;
        info->estimatedRows = static_cast<sqlite3_int64>(ExpectedRows);
        return SQLITE_OK;
    });
}

int openCall(sqlite3_vtab* table, sqlite3_vtab_cursor** out)
{
    return guarded([&] {
        *out = std::make_unique<FunctionCursor>(tableOf(table).definition).release();
        return SQLITE_OK;
    });
}

int closeCall(sqlite3_vtab_cursor* cursor)
{
    delete &callCursorOf(cursor);
    return SQLITE_OK;
}

int moveToNextRow(sqlite3_vtab_cursor* of)
{
    return guarded([&] {
        FunctionCursor& cursor = callCursorOf(of);
        const int code = cursor.call.next();
        cursor.isAtEnd = code != SQLITE_ROW;
        ++cursor.row;
        if (code == SQLITE_DONE)
            cursor.call.release();
        if (code == SQLITE_ROW || code == SQLITE_DONE)
            return SQLITE_OK;
        return tableOf(cursor.pVtab).fail(code, cursor.call.problem());
    });
}

int startCall(sqlite3_vtab_cursor* of, int, const char*, int count, sqlite3_value** values)
{
    return guarded([&] {
        FunctionCursor& cursor = callCursorOf(of);
        cursor.isAtEnd = true;
        cursor.row = -1;
        cursor.arguments.clear();
        for (int i = 0; i < count; ++i)
            cursor.arguments.push_back(copyOf(values[i]));
        if (const int code = cursor.call.start(values); code != SQLITE_OK)
            return tableOf(cursor.pVtab).fail(code, cursor.call.problem());
        cursor.sources.clear();
        for (const DeclaredColumn& column : cursor.call.function().columns)
            for (int i = 0; i < sqlite3_column_count(cursor.call.statement()); ++i)
                if (areSameName(sqlite3_column_name(cursor.call.statement(), i), column.name)) {
                    cursor.sources.push_back(i);
                    break;
                }
        if (cursor.sources.size() != cursor.call.function().columns.size()) // A table that the function reads was created anew.
            return tableOf(cursor.pVtab).fail(SQLITE_ERROR, cursor.call.function().name + "(): a declared column is missing");
        return moveToNextRow(of);
    });
}

int isCallAtEnd(sqlite3_vtab_cursor* cursor) { return callCursorOf(cursor).isAtEnd ? 1 : 0; }

int writeResult(sqlite3_vtab_cursor* of, sqlite3_context* context, int column)
{
    return guarded([&] {
        FunctionCursor& cursor = callCursorOf(of);
        if (const auto argument = static_cast<std::size_t>(column) - cursor.sources.size();
            static_cast<std::size_t>(column) >= cursor.sources.size()) {
            if (argument < cursor.arguments.size())
                ValueSink(context).value(cursor.arguments[argument]);
            return SQLITE_OK;
        }
        const int source = cursor.sources[static_cast<std::size_t>(column)];
        const DeclaredColumn& declared = cursor.call.function().columns[static_cast<std::size_t>(column)];
        const int type = sqlite3_column_type(cursor.call.statement(), source);
        if (!isAllowed(declared.type, type)) {
            cursor.call.fail("the column " + declared.name + " must be " + declared.typeName + ", not " + std::string(nameOfType(type)));
            sqlite3_result_error(context, cursor.call.problem().c_str(), -1);
            return SQLITE_OK;
        }
        if (declared.type == DeclaredType::Real && type == SQLITE_INTEGER)
            sqlite3_result_double(context, sqlite3_column_double(cursor.call.statement(), source));
        else
            sqlite3_result_value(context, sqlite3_column_value(cursor.call.statement(), source));
        return SQLITE_OK;
    });
}

int writeRowNumber(sqlite3_vtab_cursor* cursor, sqlite3_int64* out)
{
    *out = callCursorOf(cursor).row;
    return SQLITE_OK;
}

/// Methods of a table that exists by its name alone: `SELECT * FROM name(arguments)`.
sqlite3_module makeCallMethods()
{
    sqlite3_module module{};
    module.iVersion = 1;
    module.xConnect = connectFunction;
    module.xBestIndex = planCall;
    module.xDisconnect = disconnectFunction;
    module.xOpen = openCall;
    module.xClose = closeCall;
    module.xFilter = startCall;
    module.xNext = moveToNextRow;
    module.xEof = isCallAtEnd;
    module.xColumn = writeResult;
    module.xRowid = writeRowNumber;
    return module;
}

} // namespace

std::string_view sqlTypeOf(DeclaredType type)
{
    switch (type) {
    case DeclaredType::Any: return "";
    case DeclaredType::Integer: return "INTEGER";
    case DeclaredType::Real: return "REAL";
    case DeclaredType::Text: return "TEXT";
    case DeclaredType::Blob: return "BLOB";
    }
    return "";
}

CreatedFunctions::CreatedFunctions(sqlite3* connection, std::shared_ptr<const RunningStatement> running)
    : m_shared(std::make_shared<Shared>())
{
    m_shared->connection = connection;
    m_shared->running = std::move(running);
}

CreatedFunctions::~CreatedFunctions() { clearStatements(); }

std::shared_ptr<const CreateFunction> CreatedFunctions::find(const std::string& name) const
{
    const auto found = m_functions.find(foldedName(name));
    return found != m_functions.end() ? found->second->function : nullptr;
}

void CreatedFunctions::clearStatements()
{
    for (auto& [name, definition] : m_functions)
        definition->idle.clear();
}

Status CreatedFunctions::add(std::shared_ptr<const CreateFunction> function)
{
    static const sqlite3_module Methods = makeCallMethods();
    remove(function->name);
    auto definition = std::make_shared<Definition>();
    definition->function = std::move(function);
    definition->shared = m_shared;
    const std::string name = foldedName(definition->function->name);
    auto data = std::make_unique<std::shared_ptr<Definition>>(definition);
    const int arguments = static_cast<int>(definition->function->arguments.size());
    const int code = definition->function->returnsTable()
        ? sqlite3_create_module_v2(m_shared->connection, name.c_str(), &Methods, data.release(), &deleteDefinition)
        : sqlite3_create_function_v2(m_shared->connection, name.c_str(), arguments, SQLITE_UTF8 | SQLITE_INNOCUOUS, data.release(),
                                     &callScalar, nullptr, nullptr, &deleteDefinition);
    if (code != SQLITE_OK)
        return Error{Error::Kind::Usage, "cannot create the function " + name + ": " + sqlite3_errmsg(m_shared->connection)};
    m_functions[name] = std::move(definition);
    return Done{};
}

CreatedFunctions::Definitions CreatedFunctions::definitions() const
{
    Definitions all;
    for (const auto& [name, definition] : m_functions)
        all.emplace(name, definition->function);
    return all;
}

void CreatedFunctions::restore(const Definitions& earlier)
{
    for (const auto& [name, function] : definitions())
        if (const auto it = earlier.find(name); it == earlier.end() || it->second != function)
            remove(name);
    for (const auto& [name, function] : earlier)
        if (!m_functions.contains(name) && !add(function))
            remove(name); // SQLite is out of memory.
}

bool CreatedFunctions::remove(const std::string& name)
{
    const auto found = m_functions.find(foldedName(name));
    if (found == m_functions.end())
        return false;
    clearStatements(); // Statements of other functions may call this one.
    const CreateFunction& function = *found->second->function;
    if (function.returnsTable())
        sqlite3_create_module_v2(m_shared->connection, found->first.c_str(), nullptr, nullptr, nullptr);
    else
        sqlite3_create_function_v2(m_shared->connection, found->first.c_str(), static_cast<int>(function.arguments.size()),
                                   SQLITE_UTF8 | SQLITE_INNOCUOUS, nullptr, nullptr, nullptr, nullptr, nullptr);
    m_functions.erase(found);
    return true;
}

} // namespace helio::sql
