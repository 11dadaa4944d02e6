#pragma once

#include "core/sql/schema.h"
#include "widgets/async/latest_task.h"
#include "widgets/sql/sql_result.h"

#include <QElapsedTimer>
#include <QObject>

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace helio {

/// Why a query failed.
struct SqlFailure {
    QString message;
    int line = 0; ///< Line of the mistake from 1; 0 if unknown.
    int column = 0; ///< Column of the mistake from 1, in bytes of UTF-8; 0 if unknown.
    bool isTimeout = false;
    bool isCancelled = false;
};

/// Splits the position "line 2, column 5: " off the message of the engine.
SqlFailure readSqlFailure(const QString& message);

/// True if two timelines have the same contents, whatever the names and colours of their hosts.
bool isSameRecording(const Timeline& a, const Timeline& b);

/// Catalogue of traces whose tables queries read.
struct SqlCatalogue {
    std::filesystem::path path;
    int reading = 0; ///< Number of the reading of the file. Another number makes queries open the file again.
    bool operator==(const SqlCatalogue&) const = default;
};

/// Data that queries read: the timeline of a recording, which is not null, or a catalogue.
using SqlSource = std::variant<std::shared_ptr<const Timeline>, SqlCatalogue>;

/// Runs queries on a thread of its own, with a database that is kept until another source is queried: tables and views that a statement
/// creates are there for the next one.
/// Ownership: owned by the view. The destructor stops the query that runs, and waits for its end.
/// Threads: UI thread.
/// Errors: failed() has those of sql::openDatabase() or fleet::openForQueries(), and those of the query.
class SqlRunner : public QObject {
    Q_OBJECT

public:
    explicit SqlRunner(QObject* parent = nullptr);

    /// Runs a query; cancels the one that runs. `limit`: longest time; nullopt for no limit.
    void run(SqlSource source, const QString& query, std::optional<std::chrono::milliseconds> limit);
    /// A query that runs without being asked for.
    struct QuietQuery {
        QString query;
        std::chrono::milliseconds limit{};
        std::size_t mostRows = SqlResult::MostRows;
        /// Receives the result; nullptr if the query failed.
        std::function<void(std::shared_ptr<const SqlResult>, const SqlFailure&)> take;
    };
    /// Runs queries one after the other.
    void runAll(SqlSource source, std::vector<QuietQuery> queries);
    /// Reads the names of tables, columns and functions. schemaRead() has nullptr if they cannot be read.
    void readSchema(SqlSource source);
    void cancel();
    void close(); ///< Cancels the query, and closes the database and what it reads.

    bool isBusy() const { return m_task.isBusy(); }
    std::size_t rowsSoFar() const { return m_rowsSoFar ? m_rowsSoFar->load() : 0; }
    qint64 elapsed() const { return m_clock.elapsed(); } ///< Time in ms since the query began.

signals:
    void done(const std::shared_ptr<const helio::SqlResult>& result);
    void failed(const helio::SqlFailure& failure);
    void allDone(); ///< Emitted after the queries of runAll().
    void schemaRead(const std::shared_ptr<const helio::sql::Schema>& schema);

private:
    struct Connection;

    std::shared_ptr<Connection> m_connection; ///< Used only by jobs, which run one after the other.
    std::shared_ptr<std::atomic<std::size_t>> m_rowsSoFar;
    QElapsedTimer m_clock;
    LatestTask m_task;
};

} // namespace helio
