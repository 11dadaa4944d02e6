#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

const QString Sample = SOURCE_DIR "/resources/samples/workers";
const QString PerfTimers = SOURCE_DIR "/tests/fixtures/perf/timers.data";
const QString PerfCalls = SOURCE_DIR "/tests/fixtures/perf/calls-part.data";

/// Returns the rows of statements, cells joined by "|".
QList<QByteArray> query(const QString& trace, const QString& statements, const QStringList& options = {})
{
    const ProgramResult result = heliograph(QStringList{"sql", trace, statements, "--format", "csv"} + options);
    if (result.status != 0)
        return {"error " + result.err};
    QList<QByteArray> rows;
    for (const QByteArray& line : result.lines().mid(1))
        rows.append(csvCells(line).join('|'));
    return rows;
}

QList<QByteArray> sorted(QList<QByteArray> rows)
{
    std::ranges::sort(rows);
    return rows;
}

/// Returns columns of another command's table as rows of cells joined by "|", sorted.
QList<QByteArray> table(const QStringList& arguments, const QList<int>& columns,
                        const std::function<bool(const QList<QByteArray>&)>& isWanted)
{
    QList<QByteArray> rows;
    for (const QByteArray& line : heliograph(arguments + QStringList{"--format", "csv"}).lines().mid(1)) {
        const QList<QByteArray> cells = csvCells(line);
        if (!isWanted(cells))
            continue;
        QList<QByteArray> wanted;
        for (const int column : columns)
            wanted.append(cells[column]);
        rows.append(wanted.join('|'));
    }
    return sorted(rows);
}

/// Returns the times that threads ran by their names, as `stats` prints them.
QList<QByteArray> runningTimes(const QString& trace)
{
    QMap<QByteArray, qint64> sums;
    for (const QByteArray& line : heliograph({"stats", trace, "--by", "name", "--format", "csv"}).lines().mid(1))
        if (const auto cells = csvCells(line); cells[3].startsWith("running") || cells[3] == "interrupted" || cells[3] == "exiting")
            sums[cells[1]] += cells[5].toLongLong();
    QList<QByteArray> rows;
    for (auto it = sums.begin(); it != sums.end(); ++it)
        rows.append(it.key() + '|' + QByteArray::number(it.value()));
    return rows;
}

} // namespace

/// Queries in the style of Perfetto's documentation, on recordings of LTTng and perf, whose results other commands print too.
class SqlQueriesTest : public QObject {
    Q_OBJECT

private slots:
    void slicesWithContextAreTheSystemCalls()
    {
        for (const QString& trace : {Sample, PerfCalls}) {
            const auto calls = table({"latency", trace, "--of", "syscall"}, {0, 2, 3}, [](const auto&) { return true; });
            QVERIFY(calls.size() > 1);
            QCOMPARE(sorted(query(trace, R"(
                INCLUDE PERFETTO MODULE slices.with_context;
                SELECT substr(name, 5) AS call, count(*), sum(dur) FROM thread_slice
                WHERE name GLOB 'sys_*' AND thread_name IS NOT NULL GROUP BY name)")),
                     calls);
        }
    }
    void cpuTimeOfSlicesIsTheirTimeInTheStateRunning()
    {
        // Each call is cut by the thread's states: the parts together are the call.
        const QString views = R"(
            DROP VIEW IF EXISTS slice_with_utid;
            CREATE VIEW slice_with_utid AS
            SELECT ts, dur, slice.name AS slice_name, slice.id AS slice_id, utid, thread.name AS thread_name
            FROM slice JOIN thread_track ON thread_track.id = slice.track_id JOIN thread USING (utid)
            WHERE slice.name GLOB 'sys_*';
            DROP TABLE IF EXISTS slice_thread_state_breakdown;
            CREATE VIRTUAL TABLE slice_thread_state_breakdown
            USING SPAN_LEFT_JOIN(slice_with_utid PARTITIONED utid, thread_state PARTITIONED utid);)";
        const auto calls = table({"latency", Sample, "--of", "syscall"}, {0, 3}, [](const auto& cells) { return cells[3] != "0"; });
        QVERIFY(calls.size() > 5);
        QCOMPARE(sorted(query(Sample, views + "SELECT substr(slice_name, 5), sum(dur) FROM slice_thread_state_breakdown GROUP BY 1")),
                 calls);
        // nanosleep sleeps, and getpid-like calls only run.
        const auto parts = query(Sample, views + R"(
            SELECT sum(iif(state = 'S', dur, 0)) > 9 * sum(iif(state = 'Running', dur, 0)), sum(iif(state = 'R', dur, 0)) > 0
            FROM slice_thread_state_breakdown WHERE slice_name GLOB 'sys_*nanosleep')");
        QCOMPARE(parts, QList<QByteArray>{"1|1"});
    }
    void runningTimesAreThoseOfStats()
    {
        for (const QString& trace : {Sample, PerfTimers}) {
            const auto times = runningTimes(trace);
            QVERIFY(times.size() > 3);
            const auto found = query(trace, R"(
                SELECT thread.name, sum(iif(dur = -1, trace_end() - thread_state.ts, dur)) AS running
                FROM thread_state JOIN thread USING (utid)
                WHERE state = 'Running' AND tid != 0 GROUP BY 1 ORDER BY 1)");
            QCOMPARE(found, times);
        }
    }
    void schedulingLatencyIsThatOfWakeups()
    {
        const auto isWorker = [](const auto& cells) { return cells[0].startsWith("worker-"); };
        const auto latencies = table({"latency", Sample, "--of", "wakeup"}, {0, 2, 3, 11}, isWorker);
        QCOMPARE(latencies.size(), 4);
        QCOMPARE(query(Sample, R"(
            INCLUDE PERFETTO MODULE sched.latency;
            SELECT thread.name, count(*), sum(latency_dur), max(latency_dur)
            FROM sched_latency_for_running_interval AS latency
            JOIN thread_state AS runnable ON runnable.id = latency.runnable_latency_id
            JOIN thread ON thread.utid = latency.utid
            WHERE runnable.state = 'R' AND thread.name GLOB 'worker-*'
              AND EXISTS (SELECT 1 FROM thread_state AS before WHERE before.utid = latency.utid AND before.ts + before.dur = runnable.ts
                          AND before.state IN ('S', 'D'))
            GROUP BY 1 ORDER BY 1)"),
                 latencies);
    }
    void functionsAndMacrosOfADocumentedFormRun()
    {
        const auto expected = query(Sample, "SELECT utid, count(*), sum(dur) FROM sched WHERE dur > 0 GROUP BY utid ORDER BY utid");
        QCOMPARE(query(Sample, R"(
            -- Runs of a thread.
            CREATE PERFETTO FUNCTION sched_by_utid(utid INT)
            RETURNS TABLE(ts LONG, dur LONG, utid INT) AS
            SELECT ts, dur, utid FROM sched WHERE utid = $utid;
            CREATE PERFETTO MACRO longer_than(tab TableOrSubquery, least Expr)
            RETURNS TableOrSubquery AS (SELECT * FROM $tab AS input WHERE input.dur > $least);
            SELECT thread.utid, count(*), sum(runs.dur)
            FROM thread JOIN longer_than!((SELECT t.utid, s.dur FROM thread AS t JOIN sched_by_utid(t.utid) AS s), 0) AS runs USING (utid)
            GROUP BY 1 ORDER BY 1)"),
                 expected);
        QCOMPARE(query(Sample, "CREATE PERFETTO FUNCTION add(x INT, y INT) RETURNS INT AS SELECT $x + $y; SELECT add(1, add(2, 3)) AS n"),
                 QList<QByteArray>{"6"});
    }
    void utilizationAddsUpToTheRunningTimes()
    {
        for (const QString& trace : {Sample, PerfTimers}) {
            const auto total = query(trace, "SELECT sum(dur) FROM sched JOIN thread USING (utid) WHERE tid != 0 AND dur > 0");
            QVERIFY(total.value(0).toLongLong() > 0);
            const auto open =
                query(trace, "SELECT total(trace_end() - sched.ts) FROM sched JOIN thread USING (utid) WHERE tid != 0 AND dur = -1");
            const auto found = query(trace, R"(
                INCLUDE PERFETTO MODULE linux.cpu.utilization.system;
                SELECT CAST(round(sum(unnormalized_utilization) * 1e9) AS INT), max(utilization) <= 1
                FROM cpu_utilization_per_second)");
            QCOMPARE(found, QList<QByteArray>{QByteArray::number(total.value(0).toLongLong() + qint64(open.value(0).toDouble())) + "|1"});
        }
        QCOMPARE(query(Sample, R"(
            INCLUDE PERFETTO MODULE linux.cpu.utilization.thread;
            INCLUDE PERFETTO MODULE linux.cpu.utilization.process;
            INCLUDE PERFETTO MODULE time.conversion;
            SELECT count(*), sum(of_threads IS NOT of_process) FROM (
              SELECT (SELECT round(sum(u.unnormalized_utilization), 6) FROM thread AS t
                      JOIN cpu_thread_utilization_per_period(time_from_ms(10), t.utid) AS u WHERE t.upid = p.upid) AS of_threads,
                     (SELECT round(sum(unnormalized_utilization), 6)
                      FROM cpu_process_utilization_per_period(10000000, p.upid)) AS of_process
              FROM process AS p WHERE p.name IS NOT NULL AND pid > 2 ORDER BY upid LIMIT 5))"),
                 QList<QByteArray>{"5|0"});
    }
    void argumentsOfEventsAreExtracted()
    {
        const auto count =
            heliograph({"events", Sample, "--count", "--filter", "name == \"sched_switch\" && next_comm == \"worker-1\""}).out;
        QVERIFY(count.trimmed().toInt() > 10);
        QCOMPARE(query(Sample, R"(
            SELECT count(*) FROM ftrace_event
            WHERE name = 'sched_switch' AND EXTRACT_ARG(arg_set_id, 'next_comm') = 'worker-1')"),
                 QList<QByteArray>{count.trimmed()});
    }
    void overlapsAreCounted()
    {
        const auto runs = query(Sample, R"(
            INCLUDE PERFETTO MODULE sched.thread_level_parallelism;
            SELECT sum(active_cpu_count * (next - ts)) FROM
              (SELECT *, lead(ts) OVER (ORDER BY ts) AS next FROM sched_active_cpu_count))");
        // Runs without an end count up to the last change.
        QCOMPARE(runs, query(Sample, R"(
            SELECT sum(min(iif(dur = -1, last, s.ts + dur), last) - s.ts)
            FROM sched AS s JOIN thread USING (utid),
              (SELECT max(iif(dur = -1, sched.ts, sched.ts + dur)) AS last FROM sched JOIN thread USING (utid) WHERE tid != 0)
            WHERE tid != 0)"));
        QCOMPARE(query(Sample, R"(
            INCLUDE PERFETTO MODULE intervals.overlap;
            SELECT * FROM intervals_overlap_count!((VALUES (10, 5), (12, 3), (12, -1), (20, 1)), column1, column2))"),
                 (QList<QByteArray>{"10|1", "12|3", "15|1", "20|2", "21|1"}));
    }
    void allModulesRun()
    {
        for (const QString& trace : {Sample, PerfTimers, PerfCalls}) {
            QCOMPARE(query(trace, "INCLUDE PERFETTO MODULE *; SELECT time_to_ms(time_from_s(2)), time_from_min(1), time_to_us(-1500)"),
                     QList<QByteArray>{"2000|60000000000|-1"});
            QCOMPARE(query(trace,
                           "INCLUDE PERFETTO MODULE sched.*; SELECT sched_state_to_human_readable_string('R+'), "
                           "sched_state_io_to_human_readable_string('D', 1), sched_state_to_human_readable_string('Running')"),
                     QList<QByteArray>{"Runnable (Preempted)|Uninterruptible Sleep (IO)|Running"});
        }
        QCOMPARE(query(Sample, R"(
            INCLUDE PERFETTO MODULE sched.time_in_state;
            SELECT count(*) FROM thread JOIN sched_time_in_state_for_thread_in_interval(trace_start(), trace_dur() + 1, thread.utid) AS part
            LEFT JOIN sched_time_in_state_for_thread AS whole ON whole.utid = thread.utid AND whole.state IS part.state
            WHERE whole.time_in_state IS NOT part.dur)"),
                 QList<QByteArray>{"0"});
        QCOMPARE(query(Sample, R"(
            INCLUDE PERFETTO MODULE counters.intervals;
            SELECT id, ts, dur, value, next_value, delta_value FROM counter_leading_intervals!(
              (SELECT column1 AS id, column2 AS ts, column3 AS track_id, column4 AS value
               FROM (VALUES (1, trace_end() - 30, 1, 5.0), (2, trace_end() - 10, 1, 7.0))))
            WHERE ts IN (trace_end() - 30, trace_end() - 10) ORDER BY id)")
                     .size(),
                 2);
    }
    void modulesOfTheUserAreFiles()
    {
        QTemporaryDir folder;
        const auto write = [&](const QString& path, const QByteArray& text) {
            QVERIFY(QDir(folder.path()).mkpath(QFileInfo(path).path()));
            QFile file(folder.filePath(path));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const QStringList options{"--add-sql-module", folder.path() + "/in"};
        write("in/my/first.sql", "INCLUDE PERFETTO MODULE my.second;\nCREATE PERFETTO VIEW first AS SELECT second() + 1 AS n;");
        write("in/my/second.sql", "CREATE PERFETTO FUNCTION second() RETURNS INT AS SELECT 41;");
        write("in/loop/a.sql", "INCLUDE PERFETTO MODULE loop.b;");
        write("in/loop/b.sql", "INCLUDE PERFETTO MODULE loop.a;");
        write("in/bad.sql", "CREATE PERFETTO TABLE made AS SELECT 1;\n\nSELECT wrong;");
        write("in/large.sql", QByteArray(2 << 20, ' '));
        write("outside.sql", "SELECT 1;");
        QVERIFY(QFile::link(folder.filePath("outside.sql"), folder.filePath("in/link.sql")));
        QCOMPARE(query(Sample, "INCLUDE PERFETTO MODULE my.first; INCLUDE PERFETTO MODULE my.*; SELECT n FROM first", options),
                 QList<QByteArray>{"42"});
        const auto problem = [&](const QString& statements) { return query(Sample, statements, options).value(0); };
        QVERIFY(problem("SELECT 1;\nINCLUDE PERFETTO MODULE loop.a")
                    .contains("module loop.b, line 1, column 1: modules include each other: loop.a, loop.b"));
        QVERIFY(problem("INCLUDE PERFETTO MODULE bad").contains("module bad, line 3, column 8: no such column: wrong"));
        QVERIFY(problem("INCLUDE PERFETTO MODULE large").contains("larger than 1 MiB"));
        QVERIFY(problem("INCLUDE PERFETTO MODULE link").contains("lies outside of"));
        QVERIFY(problem("\nINCLUDE PERFETTO MODULE none.here").contains("line 2, column 1: no such module: none.here"));
        QVERIFY(problem("INCLUDE PERFETTO MODULE none.*").contains("no module matches none.*"));
        for (const char* const name : {"..outside", "\"../outside\"", "\"/etc/passwd\"", "my.\"..\".outside"})
            QVERIFY2(problem(QString("INCLUDE PERFETTO MODULE ") + name).startsWith("error"), name);
        QCOMPARE(heliograph({"sql", Sample, "SELECT 1", "--add-sql-module", "/nowhere"}).status, 2);
    }
};

HELIO_TEST(SqlQueriesTest)
#include "tst_sql_queries.moc"
