#include "core/sql/engine/shared_database.h"

#include "core/sql/engine/sqlite_objects.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sqlite3.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace helio::sql {
namespace {

constexpr int MostWaitForOthers = 60'000; ///< Longest wait for a lock of another process, in ms.
constexpr int WaitStep = 20; ///< Time between two looks at the lock if the wait can be stopped, in ms.

class SqliteSharedDatabase final : public SharedDatabase {
public:
    SqliteSharedDatabase(std::filesystem::path path, std::stop_token stop)
        : m_path(std::move(path))
        , m_stop(std::move(stop))
    {
    }
    ~SqliteSharedDatabase() override
    {
        m_prepared.clear();
        sqlite3_close_v2(m_connection);
    }
    SqliteSharedDatabase(const SqliteSharedDatabase&) = delete;
    SqliteSharedDatabase& operator=(const SqliteSharedDatabase&) = delete;

    Status open(Access access)
    {
        // SQLite would not let the group write, even if the umask does.
        const int flags = access == Access::Change ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC;
        const int file = ::open(m_path.c_str(), flags, 0666);
        if (file < 0)
            return Error{errno == ENOENT ? Error::Kind::NotFound : Error::Kind::Unreadable, m_path.string() + ": " + std::strerror(errno)};
        ::close(file);
        // Reading opens the file for writing, too, where that is allowed: only then are the changes of a killed process undone.
        constexpr int Open = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
        if (const int code = sqlite3_open_v2(m_path.c_str(), &m_connection, Open, nullptr); code != SQLITE_OK)
            return failed(code);
        if (m_stop.stop_possible())
            sqlite3_busy_handler(m_connection, &SqliteSharedDatabase::waitForOthers, this);
        else
            sqlite3_busy_timeout(m_connection, MostWaitForOthers);
        sqlite3_db_config(m_connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(m_connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        sqlite3_db_config(m_connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr); // A foreign file may have triggers.
        sqlite3_limit(m_connection, SQLITE_LIMIT_ATTACHED, 0);
        return execute("SELECT count(*) FROM sqlite_schema"); // Reads the file for the first time.
    }

    Status execute(const std::string& statements) override
    {
        const int code = sqlite3_exec(m_connection, statements.c_str(), nullptr, nullptr, nullptr);
        return code == SQLITE_OK ? Status(Done{}) : failed(code);
    }

    Status run(const std::string& statement, std::span<const Value> parameters, const TakeRow& take) override
    {
        const auto [prepared, isNew] = m_prepared.try_emplace(statement);
        if (isNew) {
            sqlite3_stmt* made = nullptr;
            if (const int code = sqlite3_prepare_v2(m_connection, statement.c_str(), -1, &made, nullptr); code != SQLITE_OK) {
                m_prepared.erase(prepared);
                return failed(code);
            }
            prepared->second.reset(made);
        }
        sqlite3_stmt* const running = prepared->second.get();
        int code = SQLITE_OK;
        for (std::size_t i = 0; i < parameters.size() && code == SQLITE_OK; ++i)
            code = bindValue(running, static_cast<int>(i) + 1, parameters[i]);
        std::vector<Value> values(static_cast<std::size_t>(sqlite3_column_count(running)));
        while (code == SQLITE_OK && (code = sqlite3_step(running)) == SQLITE_ROW) {
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = copyOf(sqlite3_column_value(running, static_cast<int>(i)));
            if (take)
                take(values);
            code = SQLITE_OK;
        }
        const Status done = code == SQLITE_DONE ? Status(Done{}) : failed(code);
        sqlite3_reset(running);
        sqlite3_clear_bindings(running); // Texts need not outlive the call.
        return done;
    }

    std::int64_t lastRow() const override { return sqlite3_last_insert_rowid(m_connection); }

private:
    /// Waits before the next look at a lock, as sqlite3_busy_handler() defines it. Returns 0 to give up.
    static int waitForOthers(void* self, int looks)
    {
        auto& it = *static_cast<SqliteSharedDatabase*>(self);
        it.m_isStopped = it.m_stop.stop_requested();
        if (it.m_isStopped || looks >= MostWaitForOthers / WaitStep)
            return 0;
        std::this_thread::sleep_for(std::chrono::milliseconds(WaitStep));
        return 1;
    }

    Status failed(int code) const
    {
        const std::string cause = m_connection ? sqlite3_errmsg(m_connection) : sqlite3_errstr(code);
        switch (code & 0xff) {
        case SQLITE_BUSY:
            if (m_isStopped)
                return Error{Error::Kind::Cancelled, m_path.string() + ": cancelled"};
            return Error{Error::Kind::Unreadable, m_path.string() + ": another process holds the file; try again later"};
        case SQLITE_NOTADB:
        case SQLITE_CORRUPT: return Error{Error::Kind::Corrupt, m_path.string() + ": " + cause};
        case SQLITE_FULL:
        case SQLITE_NOMEM: return Error{Error::Kind::Full, m_path.string() + ": " + cause};
        default: return Error{Error::Kind::Unreadable, m_path.string() + ": " + cause};
        }
    }

    std::filesystem::path m_path;
    std::stop_token m_stop;
    bool m_isStopped = false; ///< True if the last wait was stopped.
    sqlite3* m_connection = nullptr;
    std::map<std::string, Statement> m_prepared; ///< Prepared statements by text.
};

} // namespace

Result<std::unique_ptr<SharedDatabase>> SharedDatabase::open(const std::filesystem::path& path, Access access, const std::stop_token& stop)
{
    auto database = std::make_unique<SqliteSharedDatabase>(path, stop);
    if (const Status opened = database->open(access); !opened)
        return opened.error();
    return std::unique_ptr<SharedDatabase>(std::move(database));
}

} // namespace helio::sql
