#include "core/sql/engine/database_file.h"

#include "core/base/utf8.h"
#include "core/sql/dialect/tokens.h"
#include "core/sql/engine/sqlite_objects.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>
#include <utility>

namespace helio::sql {
namespace {

class SqliteFile final : public DatabaseFile {
public:
    explicit SqliteFile(std::stop_token stop)
        : m_stop(std::move(stop))
    {
    }
    ~SqliteFile() override
    {
        m_insert.reset();
        sqlite3_close_v2(m_connection);
    }
    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;

    Status open(const std::filesystem::path& path)
    {
        // SQLite would not let the group write, even if the umask does.
        if (const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); file >= 0)
            ::close(file);
        constexpr int Flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
        if (const int code = sqlite3_open_v2(path.c_str(), &m_connection, Flags, nullptr); code != SQLITE_OK)
            return failed(code);
        sqlite3_progress_handler(
            m_connection, StepsBetweenChecks,
            [](void* self) { return static_cast<const SqliteFile*>(self)->m_stop.stop_requested() ? 1 : 0; }, this);
        // The caller removes an incomplete file, so that no journal is needed.
        return execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE; BEGIN");
    }

    Status addTable(const std::string& name, std::span<const FileColumn> columns) override
    {
        m_insert.reset();
        std::string create = "CREATE TABLE " + quotedName(name) + " (";
        std::string insert = "INSERT INTO " + quotedName(name) + " VALUES (";
        for (const FileColumn& column : columns) {
            const bool isFirst = &column == columns.data();
            create += (isFirst ? "" : ", ") + quotedName(column.name) + (column.type.empty() ? "" : " ") + column.type;
            insert += isFirst ? "?" : ", ?";
        }
        if (Status created = execute(create + ')'); !created)
            return created;
        sqlite3_stmt* statement = nullptr;
        const int code = sqlite3_prepare_v2(m_connection, (insert + ')').c_str(), -1, &statement, nullptr);
        m_insert.reset(statement);
        return code == SQLITE_OK ? Status(Done{}) : failed(code);
    }

    Status addRow(std::span<const Value> values) override
    {
        int column = 0;
        for (const Value& value : values)
            if (const int code = bind(++column, value); code != SQLITE_OK)
                return failed(code);
        const int code = sqlite3_step(m_insert.get());
        sqlite3_reset(m_insert.get());
        return code == SQLITE_DONE ? Status(Done{}) : failed(code);
    }

    Status addIndex(const std::string& table, const std::string& column) override
    {
        return execute("CREATE INDEX " + quotedName(table + "_by_" + column) + " ON " + quotedName(table) + " (" + quotedName(column)
                       + ')');
    }

    Result<bool> addView(const std::string& name, const std::string& definition) override
    {
        if (const Status created = execute(definition); !created)
            return created.error();
        sqlite3_stmt* statement = nullptr;
        const int code = sqlite3_prepare_v2(m_connection, ("SELECT * FROM " + quotedName(name)).c_str(), -1, &statement, nullptr);
        const Statement read(statement);
        if (code == SQLITE_OK)
            return true;
        if (const Status dropped = execute("DROP VIEW " + quotedName(name)); !dropped)
            return dropped.error();
        return false;
    }

    Status finish() override
    {
        m_insert.reset();
        if (Status done = execute("COMMIT"); !done)
            return done;
        const int code = sqlite3_close(m_connection);
        if (code != SQLITE_OK)
            return failed(code);
        m_connection = nullptr;
        return Done{};
    }

private:
    /// Sets a value of the row; a text as valid UTF-8, which other programs require.
    int bind(int column, const Value& value)
    {
        const auto* const text = std::get_if<std::string>(&value);
        if (!text || isUtf8(*text)) // The text outlives the execution of the statement.
            return bindValue(m_insert.get(), column, value);
        std::string valid;
        appendUtf8(valid, *text);
        return sqlite3_bind_text64(m_insert.get(), column, valid.data(), valid.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    }

    Status execute(const std::string& statements)
    {
        const int code = sqlite3_exec(m_connection, statements.c_str(), nullptr, nullptr, nullptr);
        return code == SQLITE_OK ? Status(Done{}) : failed(code);
    }

    Status failed(int code) const
    {
        if (m_stop.stop_requested())
            return Error{Error::Kind::Cancelled, "The export was cancelled"};
        const bool isFull = (code & 0xff) == SQLITE_FULL || (code & 0xff) == SQLITE_NOMEM;
        return Error{isFull ? Error::Kind::Full : Error::Kind::Unreadable,
                     std::string("Cannot write the database: ") + (m_connection ? sqlite3_errmsg(m_connection) : sqlite3_errstr(code))};
    }

    std::stop_token m_stop;
    sqlite3* m_connection = nullptr;
    Statement m_insert; ///< Statement that adds a row to the last table.
};

} // namespace

Result<std::unique_ptr<DatabaseFile>> DatabaseFile::create(const std::filesystem::path& path, std::stop_token stop)
{
    auto file = std::make_unique<SqliteFile>(std::move(stop));
    if (const Status opened = file->open(path); !opened)
        return opened.error();
    return std::unique_ptr<DatabaseFile>(std::move(file));
}

} // namespace helio::sql
