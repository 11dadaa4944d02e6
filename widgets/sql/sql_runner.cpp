#include "widgets/sql/sql_runner.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "core/sql/open_database.h"
#include "widgets/sql/sql_panel_data.h"
#include "widgets/time/qt_text.h"

#include <QRegularExpression>

#include <algorithm>

namespace helio {

namespace {

using Clock = std::chrono::steady_clock;

/// Collects the rows of a result up to a limit.
class ResultCollector final : public sql::RowReceiver {
public:
    ResultCollector(SqlResult& result, std::size_t most, std::atomic<std::size_t>* count)
        : m_result(result)
        , m_most(most)
        , m_count(count)
    {
    }

    void columns(std::span<const std::string> names) override { m_result.columns.assign(names.begin(), names.end()); }
    bool row(std::span<const sql::Value> values) override
    {
        std::size_t bytes = values.size_bytes();
        for (const sql::Value& value : values)
            if (const auto* text = std::get_if<std::string>(&value))
                bytes += text->size();
        if (m_rows >= m_most || m_bytes + bytes > SqlResult::MostBytes) {
            m_result.isCut = true;
            return false;
        }
        m_bytes += bytes;
        m_result.values.insert(m_result.values.end(), values.begin(), values.end());
        ++m_rows;
        if (m_count)
            m_count->store(m_rows, std::memory_order_relaxed);
        return true;
    }

private:
    SqlResult& m_result;
    std::size_t m_most;
    std::atomic<std::size_t>* m_count;
    std::size_t m_rows = 0;
    std::size_t m_bytes = 0;
};

SqlFailure failureOf(const Error& error, bool isCancelled)
{
    SqlFailure failure = readSqlFailure(text(error.what));
    failure.isCancelled = isCancelled;
    failure.isTimeout = error.kind == Error::Kind::Cancelled && !isCancelled;
    return failure;
}

} // namespace

/// A database and the timeline that it queries.
struct SqlRunner::Connection {
    std::shared_ptr<const Timeline> timeline;
    std::unique_ptr<sql::Database> database;
    std::shared_ptr<const sql::RowLocator> locator;
    bool hasLosses = false;

    Status open(const std::shared_ptr<const Timeline>& wanted)
    {
        if (database && (timeline == wanted || isSameRecording(*timeline, *wanted)))
            return Done{};
        database.reset();
        auto opened = sql::openDatabase(wanted);
        if (!opened)
            return opened.error();
        database = std::move(*opened);
        timeline = wanted;
        locator = std::make_shared<const sql::RowLocator>(wanted);
        hasLosses = !losses(*wanted, rangeOf(*wanted)).empty();
        return Done{};
    }

    Result<std::shared_ptr<const SqlResult>> run(const std::shared_ptr<const Timeline>& wanted, const QString& query,
                                                 const sql::RunLimits& limits, std::size_t most, std::atomic<std::size_t>* count)
    {
        const auto begin = Clock::now();
        if (const Status opened = open(wanted); !opened)
            return opened.error();
        auto result = std::make_shared<SqlResult>();
        ResultCollector collector(*result, most, count);
        if (Status done = database->run(query.toStdString(), collector, limits); !done)
            return done.error();
        result->query = query;
        result->time = Clock::now() - begin;
        result->timeline = timeline;
        result->locator = locator;
        result->hasLosses = hasLosses;
        result->facts = factsOf(*result);
        return std::shared_ptr<const SqlResult>(std::move(result));
    }
};

bool isSameRecording(const Timeline& a, const Timeline& b)
{
    return a.generation == b.generation && a.clockSettings == b.clockSettings
        && std::ranges::equal(a.traces, b.traces, {}, &TimelineTrace::trace, &TimelineTrace::trace)
        && std::ranges::equal(a.stores, b.stores, {}, &TimelineStore::store, &TimelineStore::store);
}

SqlFailure readSqlFailure(const QString& message)
{
    static const QRegularExpression position(QStringLiteral("^line (\\d+), column (\\d+): "));
    const auto match = position.match(message);
    SqlFailure failure;
    failure.message = match.hasMatch() ? message.mid(match.capturedLength()) : message;
    failure.line = match.captured(1).toInt();
    failure.column = match.captured(2).toInt();
    return failure;
}

SqlRunner::SqlRunner(QObject* parent)
    : QObject(parent)
    , m_connection(std::make_shared<Connection>())
{
    connect(&m_task, &LatestTask::failed, this, [this](const QString& why) { emit failed({why, 0, 0, false, false}); });
}

void SqlRunner::run(Timelines timeline, const QString& query, std::optional<std::chrono::milliseconds> limit)
{
    m_rowsSoFar = std::make_shared<std::atomic<std::size_t>>(0);
    m_clock.start();
    m_task.post([this, connection = m_connection, timeline = std::move(timeline), query, limit,
                 count = m_rowsSoFar](std::stop_token stop) -> LatestTask::Delivery {
        auto result = connection->run(timeline, query, {stop, limit}, SqlResult::MostRows, count.get());
        if (!result)
            return [this, failure = failureOf(result.error(), stop.stop_requested())] { emit failed(failure); };
        return [this, found = *result] { emit done(found); };
    });
}

void SqlRunner::runAll(Timelines timeline, std::vector<QuietQuery> queries)
{
    m_task.post([this, connection = m_connection, timeline = std::move(timeline),
                 queries = std::move(queries)](std::stop_token stop) -> LatestTask::Delivery {
        for (const QuietQuery& it : queries) {
            auto result = connection->run(timeline, it.query, {stop, it.limit}, it.mostRows, nullptr);
            if (stop.stop_requested())
                break;
            const auto found = result ? *result : nullptr;
            const SqlFailure failure = result ? SqlFailure() : failureOf(result.error(), false);
            m_task.deliver(stop, [take = it.take, found, failure] { take(found, failure); });
        }
        return [this] { emit allDone(); };
    });
}

void SqlRunner::readSchema(Timelines timeline)
{
    m_task.post([this, connection = m_connection, timeline = std::move(timeline)](std::stop_token) -> LatestTask::Delivery {
        std::shared_ptr<const sql::Schema> read;
        if (connection->open(timeline))
            if (auto schema = sql::readSchema(*connection->database))
                read = std::make_shared<const sql::Schema>(std::move(*schema));
        return [this, read] { emit schemaRead(read); };
    });
}

void SqlRunner::cancel() { m_task.cancel(); }

void SqlRunner::close()
{
    m_task.post([connection = m_connection](std::stop_token) -> LatestTask::Delivery {
        *connection = {};
        return {};
    });
}

} // namespace helio
