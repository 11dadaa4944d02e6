#include "core/sql/engine/database.h"

#include "core/sql/dialect/tokens.h"
#include "core/sql/engine/added_functions.h"
#include "core/sql/engine/dialect_session.h"
#include "core/sql/engine/span_join.h"
#include "core/sql/engine/sqlite_objects.h"
#include "core/sql/engine/virtual_module.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <re2/re2.h>
#include <set>
#include <sqlite3.h>
#include <thread>
#include <utility>

namespace helio::sql {
namespace {

/// Largest text or blob of a query in bytes. SQLite's own limit of 1 GB would let one query take all memory, and functions of long texts,
/// which cannot be interrupted, would take hours.
constexpr int MostValueBytes = 1 << 20;
constexpr int MostColumns = 500; ///< Largest number of columns of a table or a result.
constexpr int MostPatternBytes = 1'000; ///< Largest pattern of LIKE and GLOB in bytes.
constexpr std::int64_t MostMemory = std::int64_t{1} << 30; ///< Largest memory of all databases of the process together, in bytes.
constexpr int MostAttached = 2; ///< Largest number of database files that the program attaches.
constexpr int MostWait = 10'000; ///< Longest wait for a lock of another process on an attached file, in ms.
constexpr std::int64_t MostPages = 4ll << 20; ///< Largest size of each of the schemas `main` and `temp`, in pages of 4 KiB: 16 GiB.

/// Pragmas that only describe the schema.
constexpr std::array HarmlessPragmas{"table_info", "table_xinfo", "table_list", "index_list", "index_info", "function_list", "module_list"};

/// Returns the address with which SQLite opens a file only to read it.
std::string readOnlyAddress(const std::filesystem::path& file)
{
    constexpr std::string_view Digits = "0123456789ABCDEF";
    std::error_code ignored;
    std::string address = "file:";
    for (const char c : std::filesystem::absolute(file, ignored).string()) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || c == '?' || c == '#')
            (address += '%').append(1, Digits[byte >> 4]).append(1, Digits[byte & 15]);
        else
            address += c;
    }
    return address + "?mode=ro";
}

/// Returns `text` without spaces, semicolons and comments at its beginning.
std::string_view skipBlanks(std::string_view text)
{
    for (;;) {
        const std::size_t first = text.find_first_not_of(" \t\r\n\f;");
        text.remove_prefix(first == std::string_view::npos ? text.size() : first);
        std::string_view end;
        if (text.starts_with("--"))
            end = "\n";
        else if (text.starts_with("/*"))
            end = "*/";
        else
            return text;
        const std::size_t found = text.find(end, 2);
        text.remove_prefix(found == std::string_view::npos ? text.size() : found + end.size());
    }
}

/// Returns the new name of the table that the statement at the begin of `sql` renames; empty if it is another statement.
std::string newNameOfTable(std::string_view sql)
{
    TokenReader reader(sql);
    if (const auto first = reader.next(); !first || !first->isWord("ALTER"))
        return {};
    bool isAfterRename = false;
    for (auto token = reader.next(); token && !token->is(';'); token = reader.next()) {
        if (isAfterRename && token->isWord("TO")) {
            token = reader.next();
            if (token && token->kind != TokenKind::Word)
                token->kind = TokenKind::QuotedWord; // SQLite also takes a text for a name.
            return token ? nameIn(*token) : std::string();
        }
        isAfterRename = token->isWord("RENAME");
    }
    return {};
}

class SqliteDatabase final : public Database, private StatementEngine {
public:
    ~SqliteDatabase() override
    {
        m_dialect.reset(); // It keeps prepared statements.
        sqlite3_close_v2(m_connection);
    }

    Status open();
    Status addTable(const std::string& name, std::unique_ptr<Table> table) override;
    Status addFunction(Function function) override;
    Status addAggregate(AggregateFunction function) override;
    Status attach(const std::filesystem::path& file, const std::string& name) override;
    Status addViews(std::string_view statements) override;
    Status run(std::string_view sql, RowReceiver& receiver, const RunLimits& limits) override;
    void setSums(SumTable table) override;
    void setModules(ModuleLibrary modules) override { m_dialect->setModules(std::move(modules)); }
    const ModuleLibrary& modules() const override { return m_dialect->modules(); }

private:
    Result<Statement> prepareFor(const MappedText& text, const SourceText& source) override;
    Status runPlain(const MappedText& text, const SourceText& source, RowReceiver* receiver) override;
    std::string kindOf(const std::string& name) override;
    Status beginChanges() override;
    Status endChanges(bool isKept) override;
    int executeOwn(const char* statements);
    int protectNames(const std::string& schema);

    static int authorize(void* self, int action, const char* first, const char* second, const char*, const char*);
    static int checkProgress(void* self);
    int decide(int action, std::string_view first, std::string_view second) const;
    Result<Statement> prepare(const MappedText& text, const SourceText& source, std::size_t& at);
    Status step(sqlite3_stmt* statement, RowReceiver* receiver) const;
    Status runOne(sqlite3_stmt* statement, RowReceiver* receiver) const;
    Error errorOf(int code) const;
    std::size_t offsetOfError(std::string_view sql, std::size_t begin) const;
    bool isProtected(std::string_view name) const;
    bool shouldStop() const;
    std::string readTable(std::string name) const;
    bool countRows(std::string_view sql, RowReceiver& receiver) const;

    sqlite3* m_connection = nullptr;
    std::shared_ptr<RunningStatement> m_running = std::make_shared<RunningStatement>();
    std::stop_token m_cancel; ///< RunLimits::stop of the statements that run.
    std::map<std::string, const Table*, std::less<>> m_tables; ///< Tables by name; SQLite owns them.
    std::set<std::string, std::less<>> m_protected; ///< Names of the tables and views that statements of users cannot change.
    std::optional<SumTable> m_sums;
    std::unique_ptr<DialectSession> m_dialect; ///< Set by open().
    bool m_isTrusted = true; ///< True while the program's own statements run.
    bool m_isChanging = false; ///< True from beginChanges() to endChanges().
};

Status SqliteDatabase::open()
{
    // An empty name is a database in a temporary file, which SQLite deletes and which is in memory as long as it is small.
    constexpr int Flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_URI;
    if (sqlite3_open_v2("", &m_connection, Flags, nullptr) != SQLITE_OK)
        return Error{Error::Kind::Unreadable, std::string("Cannot create the database: ") + sqlite3_errmsg(m_connection)};
    sqlite3_db_config(m_connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(m_connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_limit(m_connection, SQLITE_LIMIT_LENGTH, MostValueBytes);
    sqlite3_limit(m_connection, SQLITE_LIMIT_COLUMN, MostColumns);
    sqlite3_limit(m_connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MostPatternBytes);
    sqlite3_limit(m_connection, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_hard_heap_limit64(MostMemory);
    sqlite3_limit(m_connection, SQLITE_LIMIT_WORKER_THREADS, 0);
    const std::string settings = "PRAGMA synchronous=OFF; PRAGMA temp_store=FILE; PRAGMA max_page_count=" + std::to_string(MostPages)
        + "; PRAGMA temp.max_page_count=" + std::to_string(MostPages) + ";";
    if (sqlite3_exec(m_connection, settings.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return Error{Error::Kind::Unreadable, std::string("Cannot create the database: ") + sqlite3_errmsg(m_connection)};
    addSpanJoins(m_connection);
    m_dialect = std::make_unique<DialectSession>(m_connection, m_running, static_cast<StatementEngine&>(*this));
    sqlite3_set_authorizer(m_connection, &SqliteDatabase::authorize, this);
    sqlite3_progress_handler(m_connection, StepsBetweenChecks, &SqliteDatabase::checkProgress, this);
    return Done{};
}

Status SqliteDatabase::addTable(const std::string& name, std::unique_ptr<Table> table)
{
    m_isTrusted = true;
    const Table* const added = table.get();
    if (const std::string problem = sql::addTable(m_connection, name, std::move(table), m_running); !problem.empty())
        return Error{Error::Kind::Unreadable, "Cannot add the table " + name + ": " + problem};
    m_protected.insert(name);
    m_tables[name] = added;
    return Done{};
}

Status SqliteDatabase::addFunction(Function function)
{
    const std::string name = function.name;
    if (sql::addFunction(m_connection, std::move(function)) != SQLITE_OK)
        return Error{Error::Kind::Unreadable, "Cannot add the function " + name + ": " + sqlite3_errmsg(m_connection)};
    return Done{};
}

Status SqliteDatabase::addAggregate(AggregateFunction function)
{
    const std::string name = function.name;
    if (sql::addAggregate(m_connection, std::move(function)) != SQLITE_OK)
        return Error{Error::Kind::Unreadable, "Cannot add the function " + name + ": " + sqlite3_errmsg(m_connection)};
    return Done{};
}

Status SqliteDatabase::attach(const std::filesystem::path& file, const std::string& name)
{
    m_isTrusted = true;
    sqlite3_busy_timeout(m_connection, MostWait);
    // Objects of a foreign schema run no functions but those that are harmless with any arguments.
    sqlite3_db_config(m_connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_limit(m_connection, SQLITE_LIMIT_ATTACHED, MostAttached);
    int code =
        sqlite3_exec(m_connection, ("ATTACH " + sql::quoted(readOnlyAddress(file)) + " AS " + name).c_str(), nullptr, nullptr, nullptr);
    sqlite3_limit(m_connection, SQLITE_LIMIT_ATTACHED, 0);
    if (code == SQLITE_OK)
        code = protectNames(name + ".sqlite_schema");
    if (code == SQLITE_OK)
        return Done{};
    const bool isForeign = (code & 0xff) == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT;
    return Error{isForeign ? Error::Kind::Corrupt : Error::Kind::Unreadable, file.string() + ": " + sqlite3_errmsg(m_connection)};
}

/// Adds the names in a table of schema objects to the protected ones. Returns a result code of SQLite.
int SqliteDatabase::protectNames(const std::string& schema)
{
    sqlite3_stmt* made = nullptr;
    int code = sqlite3_prepare_v2(m_connection, ("SELECT name FROM " + schema).c_str(), -1, &made, nullptr);
    const Statement names(made);
    while (code == SQLITE_OK && (code = sqlite3_step(made)) == SQLITE_ROW) {
        m_protected.emplace(reinterpret_cast<const char*>(sqlite3_column_text(made, 0)));
        code = SQLITE_OK;
    }
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

void SqliteDatabase::setSums(SumTable table)
{
    if (const auto found = m_tables.find(table.summed.front()); found != m_tables.end())
        for (const Column& column : found->second->columns())
            if (std::ranges::find(table.groups, column.name) == table.groups.end())
                table.others.emplace_back(column.name);
    m_sums = std::move(table);
}

Status SqliteDatabase::addViews(std::string_view statements)
{
    m_isTrusted = true;
    if (sqlite3_exec(m_connection, std::string(statements).c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return Error{Error::Kind::Unreadable, std::string("Cannot create the built-in views: ") + sqlite3_errmsg(m_connection)};
    protectNames("sqlite_schema");
    protectNames("sqlite_temp_schema");
    return Done{};
}

int SqliteDatabase::authorize(void* self, int action, const char* first, const char* second, const char*, const char*)
{
    return static_cast<const SqliteDatabase*>(self)->decide(action, first ? first : "", second ? second : "");
}

/// Decides whether a statement may be prepared that does `action` to the objects `first` and `second`, as sqlite3_set_authorizer() defines
/// them.
int SqliteDatabase::decide(int action, std::string_view first, std::string_view second) const
{
    if (m_isTrusted)
        return SQLITE_OK;
    const auto unlessProtected = [&](std::string_view name) { return isProtected(name) ? SQLITE_DENY : SQLITE_OK; };
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_REINDEX:
    case SQLITE_ANALYZE:
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_DROP_INDEX:
    case SQLITE_DROP_TEMP_INDEX:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_TEMP_TRIGGER:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_TEMP_TRIGGER: return SQLITE_OK;
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: return m_isChanging ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_CREATE_TABLE: // Tables in the schema `temp` would hide tables of the same name.
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_VIEW:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_TEMP_TABLE:
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_TEMP_VIEW:
    case SQLITE_DROP_VTABLE:
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE: return unlessProtected(first);
    case SQLITE_ALTER_TABLE: return unlessProtected(second); // prepare() checks the new name of a renamed table.
    case SQLITE_CREATE_VTABLE: return isSpanJoin(second) && !isProtected(first) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION: return second == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        return std::ranges::any_of(HarmlessPragmas, [&](const char* name) { return first == name; }) ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY; // ATTACH, DETACH and what later versions of SQLite add.
    }
}

/// True if a table or view of the program has this name. SQLite ignores the case of names.
bool SqliteDatabase::isProtected(std::string_view name) const
{
    return std::ranges::any_of(m_protected, [name](const std::string& it) {
        return it.size() == name.size() && sqlite3_strnicmp(it.data(), name.data(), static_cast<int>(name.size())) == 0;
    });
}

bool SqliteDatabase::shouldStop() const { return m_running->stop.stop_requested(); }

int SqliteDatabase::checkProgress(void* self)
{
    const auto& database = *static_cast<const SqliteDatabase*>(self);
    return !database.m_isTrusted && database.shouldStop() ? 1 : 0;
}

/// Returns the error of SQLite's last call, without a position.
Error SqliteDatabase::errorOf(int code) const
{
    const std::string message = sqlite3_errmsg(m_connection);
    switch (code & 0xff) {
    case SQLITE_INTERRUPT:
        if (m_cancel.stop_requested())
            return {Error::Kind::Cancelled, "The query was cancelled"};
        return {Error::Kind::Cancelled, "The query took longer than its time limit"};
    case SQLITE_AUTH: return {Error::Kind::Usage, "Not allowed: " + message};
    case SQLITE_NOMEM: return {Error::Kind::Full, "The query needs more memory than its limit of 1 GiB, or than there is"};
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT: return {Error::Kind::Corrupt, message};
    case SQLITE_BUSY: return {Error::Kind::Unreadable, "Another process writes to the database: " + message};
    case SQLITE_FULL: return {Error::Kind::Full, "The temporary tables became too large: " + message};
    default: return {Error::Kind::Usage, message};
    }
}

/// Returns the offset in `sql` of the last error, which the statement that begins at `begin` has.
std::size_t SqliteDatabase::offsetOfError(std::string_view sql, std::size_t begin) const
{
    // While a statement runs, the offset may be that in a statement of a span join, so that only errors in preparing it have one.
    if (const int offset = sqlite3_error_offset(m_connection); offset >= 0)
        return begin + static_cast<std::size_t>(offset);
    const std::string_view message = sqlite3_errmsg(m_connection);
    constexpr std::string_view MissingTable = "no such table: ";
    if (!message.starts_with(MissingTable))
        return begin;
    TokenReader reader(sql, begin);
    while (const auto token = reader.next())
        if (token->isName() && areSameName(nameIn(*token), message.substr(MissingTable.size())))
            return token->begin;
    return begin; // A view or function reads the table.
}

/// Prepares the statement of `text` that begins at `at`, and moves `at` behind it. The result is null if only blanks are left.
Result<Statement> SqliteDatabase::prepare(const MappedText& text, const SourceText& source, std::size_t& at)
{
    const std::string_view sql = text.text();
    at = sql.size() - skipBlanks(sql.substr(at)).size();
    if (at == sql.size())
        return Statement();
    sqlite3_stmt* made = nullptr;
    const char* tail = nullptr;
    const auto rest = sql.substr(at);
    const int size = static_cast<int>(std::min<std::size_t>(rest.size(), INT32_MAX));
    const int code = sqlite3_prepare_v2(m_connection, rest.data(), size, &made, &tail);
    if (code != SQLITE_OK) {
        Error error = errorOf(code);
        if (error.kind == Error::Kind::Usage && (code & 0xff) != SQLITE_AUTH)
            error.what = text.position(offsetOfError(sql, at), source) + ": " + error.what;
        return error;
    }
    Statement statement(made);
    // SQLite does not tell the authorizer the new name, which could hide a built-in table or a function.
    if (const std::string name = newNameOfTable(rest); !name.empty())
        if (const std::string kind = kindOf(name); isProtected(name) || kind == "function" || kind == "module")
            return Error{Error::Kind::Usage, text.position(at, source) + ": a " + kind + " is named " + name + " already"};
    at = static_cast<std::size_t>(tail - sql.data());
    return statement;
}

Result<Statement> SqliteDatabase::prepareFor(const MappedText& text, const SourceText& source)
{
    std::size_t at = 0;
    return prepare(text, source, at);
}

/// Returns the kind of what has a name: "table", "view", "index" or "function"; "module" for a kind of virtual tables.
std::string SqliteDatabase::kindOf(const std::string& name)
{
    const bool wasTrusted = std::exchange(m_isTrusted, true);
    sqlite3_stmt* made = nullptr;
    constexpr const char* Query = "SELECT type FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE"
                                  " UNION ALL SELECT 'function' FROM pragma_function_list WHERE name = ?1 COLLATE NOCASE"
                                  " UNION ALL SELECT 'module' FROM pragma_module_list WHERE name = ?1 COLLATE NOCASE";
    sqlite3_prepare_v2(m_connection, Query, -1, &made, nullptr);
    const Statement statement(made);
    std::string kind;
    const Value wanted(name);
    if (statement && bindValue(made, 1, wanted) == SQLITE_OK && sqlite3_step(made) == SQLITE_ROW)
        kind = reinterpret_cast<const char*>(sqlite3_column_text(made, 0));
    m_isTrusted = wasTrusted;
    return kind;
}

/// Executes statements of the program, which no stop request ends. Returns a result code of SQLite.
int SqliteDatabase::executeOwn(const char* statements)
{
    const bool wasTrusted = std::exchange(m_isTrusted, true);
    const int code = sqlite3_exec(m_connection, statements, nullptr, nullptr, nullptr);
    m_isTrusted = wasTrusted;
    return code;
}

Status SqliteDatabase::beginChanges()
{
    if (const int code = executeOwn("SAVEPOINT changes"); code != SQLITE_OK)
        return errorOf(code);
    m_isChanging = true;
    return Done{};
}

Status SqliteDatabase::endChanges(bool isKept)
{
    m_isChanging = false;
    if (sqlite3_get_autocommit(m_connection) != 0) // SQLite undid the changes itself, e.g. because the disk is full.
        return Done{};
    const int code = executeOwn(isKept ? "RELEASE changes" : "ROLLBACK TO changes; RELEASE changes");
    return code == SQLITE_OK ? Status(Done{}) : Status(errorOf(code));
}

/// Runs a statement. Its rows are passed to `receiver`, or dropped if `receiver` is null.
Status SqliteDatabase::step(sqlite3_stmt* statement, RowReceiver* receiver) const
{
    const int count = sqlite3_column_count(statement);
    if (receiver && count > 0) {
        std::vector<std::string> names;
        for (int i = 0; i < count; ++i)
            names.emplace_back(sqlite3_column_name(statement, i));
        receiver->columns(names);
    }
    std::vector<Value> values(static_cast<std::size_t>(count));
    for (;;) {
        const int code = sqlite3_step(statement);
        if (code == SQLITE_DONE)
            return Done{};
        if (code != SQLITE_ROW)
            return errorOf(code);
        if (m_running->stop.stop_requested()) // The row may be a sum over a part of the rows only.
            return errorOf(SQLITE_INTERRUPT);
        if (!receiver)
            continue;
        for (int i = 0; i < count; ++i)
            values[static_cast<std::size_t>(i)] = copyOf(sqlite3_column_value(statement, i));
        if (!receiver->row(values))
            return Done{};
    }
}

/// Returns the name of the table whose rows a view of the program has, all of them once; `name` itself if it is no such view.
std::string SqliteDatabase::readTable(std::string name) const
{
    static const RE2 WholeView(
        R"re((?i)\s*create\s+view\s+\w+\s+as\s+select\s+\*?(?:[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)?\s+from\s+(\w+)\s*)re");
    while (m_protected.contains(name)) {
        sqlite3_stmt* made = nullptr;
        sqlite3_prepare_v2(m_connection, "SELECT sql FROM sqlite_schema WHERE name = ?1 AND type = 'view'", -1, &made, nullptr);
        const Statement statement(made);
        const Value wanted(name);
        if (!made || bindValue(made, 1, wanted) != SQLITE_OK || sqlite3_step(made) != SQLITE_ROW)
            break;
        if (!RE2::FullMatch(reinterpret_cast<const char*>(sqlite3_column_text(made, 0)), WholeView, &name))
            break;
    }
    return name;
}

/// Answers a statement that only counts the rows of a table whose number of rows is known. SQLite itself would visit each row. Returns
/// false if `sql` is another statement.
bool SqliteDatabase::countRows(std::string_view sql, RowReceiver& receiver) const
{
    static const RE2 Counting(R"re((?i)\s*select\s+(count\s*\(\s*\*\s*\))(?:\s+as\s+(\w+))?\s+from\s+"?(\w+)"?\s*;?\s*)re");
    std::string column;
    std::string alias;
    std::string name;
    if (!RE2::FullMatch(re2::StringPiece(sql.data(), sql.size()), Counting, &column, &alias, &name))
        return false;
    const auto table = m_tables.find(readTable(name));
    const auto rows = table != m_tables.end() ? table->second->exactRows() : std::nullopt;
    if (!rows)
        return false;
    if (!alias.empty())
        column = alias;
    receiver.columns(std::array{column});
    receiver.row(std::array{Value(static_cast<std::int64_t>(*rows))});
    return true;
}

Status SqliteDatabase::run(std::string_view sql, RowReceiver& receiver, const RunLimits& limits)
{
    m_isTrusted = false;
    m_cancel = limits.stop;
    if (countRows(sql, receiver))
        return Done{};
    // Cursors see one token, whether the caller requests a stop or the time is over.
    std::stop_source ending;
    const std::stop_callback cancel(limits.stop, [&] { ending.request_stop(); });
    m_running->stop = ending.get_token();
    std::jthread timer;
    const auto stopInTime = [&ending, time = limits.time.value_or(std::chrono::milliseconds(0))](const std::stop_token& isDone) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        if (std::condition_variable_any wait; !wait.wait_for(lock, isDone, time, [] { return false; }) && !isDone.stop_requested())
            ending.request_stop();
    };
    try {
        if (limits.time)
            timer = std::jthread(stopInTime);
    } catch (const std::exception&) { // Without a thread, nothing would stop the query in time.
        return Error{Error::Kind::Full, "the system has no more threads or memory for a query with a time limit"};
    }
    return m_dialect->run({{}, sql}, &receiver);
}

Status SqliteDatabase::runPlain(const MappedText& text, const SourceText& source, RowReceiver* receiver)
{
    if (const auto fromSums = m_sums ? useSums(text, *m_sums) : std::nullopt) {
        // A query that is wrong must fail although the sums, which have other columns, could answer it.
        const Result<Statement> asWritten = prepareFor(text, source);
        const Result<Statement> statement = prepareFor(*fromSums, source);
        if (asWritten && *asWritten && statement && *statement)
            return runOne(statement->get(), receiver);
    }
    const std::string_view sql = text.text();
    for (std::size_t at = 0; at < sql.size();) {
        const Result<Statement> statement = prepare(text, source, at);
        if (!statement)
            return statement.error();
        if (!*statement)
            break;
        const bool isLast = skipBlanks(sql.substr(at)).empty();
        if (Status done = runOne(statement->get(), isLast ? receiver : nullptr); !done)
            return done;
    }
    return Done{};
}

Status SqliteDatabase::runOne(sqlite3_stmt* statement, RowReceiver* receiver) const
{
    if (Status done = step(statement, receiver); !done)
        return done;
    // A table's cursor ends early after a stop request, which must not look like a complete result.
    return shouldStop() ? Status(errorOf(SQLITE_INTERRUPT)) : Status(Done{});
}

} // namespace

Result<std::unique_ptr<Database>> Database::create()
{
    auto database = std::make_unique<SqliteDatabase>();
    if (const Status opened = database->open(); !opened)
        return opened.error();
    return std::unique_ptr<Database>(std::move(database));
}

std::optional<TextPosition> positionIn(std::string_view message)
{
    static const RE2 Position(R"(line (\d+), column (\d+): )"); // The form of positionText().
    TextPosition position;
    re2::StringPiece text(message.data(), message.size());
    return RE2::Consume(&text, Position, &position.line, &position.column) ? std::optional(position) : std::nullopt;
}

std::string quoted(std::string_view text)
{
    std::string literal = "'";
    for (const char c : text)
        literal.append(c == '\'' ? 2 : 1, c);
    return literal + "'";
}

bool Database::isComplete(const std::string& sql) { return sqlite3_complete(sql.c_str()) != 0; }

} // namespace helio::sql
