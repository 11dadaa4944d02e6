#include "widgets/sql/sql_runner.h"

#include "core/fleet/catalogue.h"
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

/// A database and the source that it queries.
struct SqlRunner::Connection {
    SqlSource source;
    std::unique_ptr<sql::Database> database;
    std::shared_ptr<const sql::RowLocator> locator; ///< nullptr for a catalogue.
    bool hasLosses = false;

    /// `stop`: a request ends the wait for a process that holds a catalogue.
    Status open(const SqlSource& wanted, const std::stop_token& stop)
    {
        if (database && isSame(source, wanted))
            return Done{};
        *this = {};
        const auto* const timeline = std::get_if<std::shared_ptr<const Timeline>>(&wanted);
        auto opened = timeline ? sql::openDatabase(*timeline) : fleet::openForQueries(std::get<SqlCatalogue>(wanted).path, stop);
        if (!opened)
            return opened.error();
        source = wanted;
        if (timeline) {
            locator = std::make_shared<const sql::RowLocator>(*timeline);
            hasLosses = !losses(**timeline, rangeOf(**timeline)).empty();
        }
        database = std::move(*opened);
        return Done{};
    }

    Result<std::shared_ptr<const SqlResult>> run(const SqlSource& wanted, const QString& query, const sql::RunLimits& limits,
                                                 std::size_t most, std::atomic<std::size_t>* count)
    {
        const auto begin = Clock::now();
        if (const Status opened = open(wanted, limits.stop); !opened)
            return opened.error();
        auto result = std::make_shared<SqlResult>();
        ResultCollector collector(*result, most, count);
        if (Status done = database->run(query.toStdString(), collector, limits); !done)
            return done.error();
        result->query = query;
        result->time = Clock::now() - begin;
        if (const auto* const timeline = std::get_if<std::shared_ptr<const Timeline>>(&source))
            result->timeline = *timeline;
        result->locator = locator;
        result->hasLosses = hasLosses;
        result->facts = factsOf(*result);
        return std::shared_ptr<const SqlResult>(std::move(result));
    }

private:
    static bool isSame(const SqlSource& a, const SqlSource& b)
    {
        const auto* const ofA = std::get_if<std::shared_ptr<const Timeline>>(&a);
        const auto* const ofB = std::get_if<std::shared_ptr<const Timeline>>(&b);
        return a == b || (ofA && ofB && isSameRecording(**ofA, **ofB));
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

void SqlRunner::run(SqlSource source, const QString& query, std::optional<std::chrono::milliseconds> limit)
{
    m_rowsSoFar = std::make_shared<std::atomic<std::size_t>>(0);
    m_clock.start();
    m_task.post([this, connection = m_connection, source = std::move(source), query, limit,
                 count = m_rowsSoFar](std::stop_token stop) -> LatestTask::Delivery {
        auto result = connection->run(source, query, {stop, limit}, SqlResult::MostRows, count.get());
        if (!result)
            return [this, failure = failureOf(result.error(), stop.stop_requested())] { emit failed(failure); };
        return [this, found = *result] { emit done(found); };
    });
}

void SqlRunner::runAll(SqlSource source, std::vector<QuietQuery> queries)
{
    m_task.post([this, connection = m_connection, source = std::move(source),
                 queries = std::move(queries)](std::stop_token stop) -> LatestTask::Delivery {
        for (const QuietQuery& it : queries) {
            auto result = connection->run(source, it.query, {stop, it.limit}, it.mostRows, nullptr);
            if (stop.stop_requested())
                break;
            const auto found = result ? *result : nullptr;
            const SqlFailure failure = result ? SqlFailure() : failureOf(result.error(), false);
            m_task.deliver(stop, [take = it.take, found, failure] { take(found, failure); });
        }
        return [this] { emit allDone(); };
    });
}

void SqlRunner::readSchema(SqlSource source)
{
    m_task.post([this, connection = m_connection, source = std::move(source)](std::stop_token stop) -> LatestTask::Delivery {
        std::shared_ptr<const sql::Schema> read;
        if (connection->open(source, stop))
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
