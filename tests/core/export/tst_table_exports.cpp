// Property: csv and sqlite contain the rows of the tables of SQL, as independent readers (Python's csv and sqlite3) see them.

#include "tests/core/export/exported.h"
#include "tests/support/files.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/sample.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QStandardPaths>
#include <QTest>

using namespace helio;
using helio::test::Exported;
using helio::test::joined;
using helio::test::queryRows;
using helio::test::runPython;

namespace {

/// Prints the rows of a CSV file like queryRows(): NULL, an empty field without quotes, as "-".
const char* const ReadCsv = R"py(
import csv, re, sys
text = open(sys.argv[1], newline='', encoding='utf-8').read()
assert '\n' not in text.replace('\r\n', '')
text = re.sub(r'(?<=[,\n])""(?=[,\r])', 'EMPTY', text)
rows = list(csv.reader(text.splitlines(keepends=True)))
for row in rows[1:]:
    assert len(row) == len(rows[0])
    print('|'.join('' if cell == 'EMPTY' else cell if cell else '-' for cell in row))
)py";

const char* const ReadDatabase = R"(
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
for row in database.execute(sys.argv[2]):
    print('|'.join('-' if it is None else '%.6f' % it if isinstance(it, float) else str(it) for it in row))
)";

} // namespace

class TableExportsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("whole test: python3 is not installed");
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
        m_database = test::databaseOf(m_timeline);
    }

    void eachTableIsAFile()
    {
        const Exported tables(m_timeline, "csv");
        QStringList expected;
        for (const std::string& name :
             queryRows(*m_database, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual' ORDER BY 1"))
            expected << QString::fromStdString(name) + ".csv";
        QVERIFY(expected.size() >= 18);
        QCOMPARE(QDir(tables.path()).entryList(QDir::Files, QDir::Name), expected);
        QCOMPARE(QDir(tables.folder()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{"out"});
        for (const char* table : {"thread", "sched_slice", "thread_state", "slice", "event", "args", "metadata"})
            QCOMPARE(runPython(ReadCsv, {tables.path() + '/' + table + ".csv"}),
                     joined(queryRows(*m_database, std::string("SELECT * FROM ") + table)));
    }
    void databaseHasTheRowsAndViews()
    {
        const Exported file(m_timeline, "sqlite");
        QCOMPARE(file.content({}).left(15), QByteArray("SQLite format 3"));
        for (const char* table : {"thread", "process", "sched_slice", "thread_state", "slice", "event", "sched", "counters", "instant"}) {
            const std::string query = std::string("SELECT * FROM ") + table;
            QCOMPARE(runPython(ReadDatabase, {file.path(), QString::fromStdString(query)}), joined(queryRows(*m_database, query)));
        }
        QCOMPARE(runPython(ReadDatabase, {file.path(), "PRAGMA integrity_check"}), QByteArray("ok\n"));
        QCOMPARE(runPython(ReadDatabase, {file.path(), "SELECT DISTINCT typeof(ts), typeof(cpu) FROM sched_slice"}),
                 QByteArray("integer|integer\n"));
        QCOMPARE(runPython(ReadDatabase, {file.path(), "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = 'event_by_ts'"}),
                 QByteArray("1\n"));
    }
    void selectionsLimitTheRows()
    {
        ExportSelection selection;
        selection.process = "mixwork";
        const qint64 begin = nanoseconds(m_timeline->range.begin);
        selection.range = {timestamp(begin + 500'000'000), timestamp(begin + 600'000'000)};
        const Exported file(m_timeline, "sqlite", selection);
        const std::string threads = "SELECT t.utid FROM thread t JOIN process p USING (upid) WHERE p.pid = 251";
        const auto inRange = [&](const std::string& times) {
            return " ts < " + std::to_string(begin + 600'000'000) + " AND " + (times.empty() ? "ts >= " : times)
                + std::to_string(begin + 500'000'000);
        };
        const auto check = [&](const std::string& table, const std::string& condition) {
            QCOMPARE(runPython(ReadDatabase, {file.path(), QString::fromStdString("SELECT * FROM " + table)}),
                     joined(queryRows(*m_database, "SELECT * FROM " + table + " WHERE " + condition)));
        };
        check("thread", "utid IN (" + threads + ")");
        check("process", "pid = 251");
        check("event", "utid IN (" + threads + ") AND" + inRange({}));
        check("thread_state", "utid IN (" + threads + ") AND" + inRange("(dur < 0 OR ts + dur > ") + ")");
        check("slice",
              "track_id IN (SELECT id FROM recorded_track WHERE utid IN (" + threads + ")) AND" + inRange("(dur < 0 OR ts + dur > ") + ")");
        const QByteArray events = runPython(ReadDatabase, {file.path(), "SELECT count(*) FROM event"});
        QVERIFY(events.toInt() > 10);
        // Each selected event has its arguments, and no other event has any.
        QCOMPARE(runPython(ReadDatabase,
                           {file.path(),
                            "SELECT count(*) FROM args WHERE arg_set_id NOT IN (SELECT arg_set_id FROM event UNION SELECT "
                            "arg_set_id FROM slice WHERE arg_set_id IS NOT NULL)"}),
                 QByteArray("0\n"));
        const std::string arguments = "SELECT count(*) FROM event JOIN args USING (arg_set_id)";
        QCOMPARE(runPython(ReadDatabase, {file.path(), QString::fromStdString(arguments)}),
                 joined(queryRows(*m_database, arguments + " WHERE utid IN (" + threads + ") AND" + inRange({}))));
    }
    void processesSelectTheirTracks()
    {
        QTemporaryDir folder;
        const QString path = test::writeFile(folder.filePath("made.json"), R"({"traceEvents":[
{"ph":"M","pid":5,"tid":1,"name":"process_name","args":{"name":"first"}},
{"ph":"M","pid":6,"tid":2,"name":"process_name","args":{"name":"second"}},
{"ph":"X","pid":6,"tid":2,"ts":1,"dur":1,"name":"call"},
{"ph":"C","pid":5,"ts":1,"name":"level","args":{"value":1}},
{"ph":"C","pid":6,"ts":2,"name":"level","args":{"value":2}}]})");
        const test::OpenedExperiment made({std::filesystem::path(path.toStdString())});
        for (const auto& [process, values] : {std::pair("first", "1.000000\n"), std::pair("second", "2.000000\n")}) {
            ExportSelection selection;
            selection.process = process;
            const Exported file(made.timeline, "sqlite", selection);
            QCOMPARE(runPython(ReadDatabase, {file.path(), "SELECT value FROM counter"}), QByteArray(values));
            QCOMPARE(runPython(ReadDatabase, {file.path(), "SELECT name FROM process"}), QByteArray(process) + '\n');
        }
        ExportSelection thread;
        thread.thread = 2;
        const Exported file(made.timeline, "sqlite", thread);
        QCOMPARE(runPython(ReadDatabase, {file.path(), "SELECT count(*) FROM counter"}), QByteArray("0\n"));
        QCOMPARE(runPython(ReadDatabase, {file.path(), "SELECT name FROM slice"}), QByteArray("call\n"));
    }
    void hostsSelectAllTheirRows()
    {
        const std::filesystem::path hosts = SOURCE_DIR "/tests/fixtures/two-hosts-small";
        const test::OpenedExperiment opened({hosts / "web", hosts / "db"});
        const auto database = test::databaseOf(opened.timeline);
        ExportSelection selection;
        selection.host = opened.timeline->hosts[1].label;
        const Exported file(opened.timeline, "sqlite", selection);
        const auto check = [&](const std::string& table, const std::string& condition) {
            const auto expected = queryRows(*database, "SELECT count(*) FROM " + table + " WHERE " + condition);
            QVERIFY2(expected != std::vector<std::string>{"0"}, table.c_str());
            QCOMPARE(runPython(ReadDatabase, {file.path(), QString::fromStdString("SELECT count(*) FROM " + table)}), joined(expected));
        };
        // The rows of CPUs and interrupts have no thread.
        check("state_interval", "row IN (SELECT row FROM state_interval) AND host_id = 1");
        // Preemptions are no slices.
        check("segment",
              "id IN (SELECT s.id FROM slice s JOIN recorded_track t ON t.id = s.track_id WHERE t.machine_id = 1) OR "
              "(kind = 'preemption' AND utid IN (SELECT utid FROM thread WHERE machine_id = 1))");
        check("connection", "from_host_id = 1 OR to_host_id = 1");
        check("packet", "from_host_id = 1 OR to_host_id = 1");
        check("process", "machine_id = 1");
        QCOMPARE(runPython(ReadDatabase, {file.path(), "SELECT count(*) > 0 FROM state_interval WHERE utid IS NULL"}), QByteArray("1\n"));
    }
    void cpusSelectTheirRuns()
    {
        ExportSelection selection;
        selection.cpu = 2;
        const Exported file(m_timeline, "sqlite", selection);
        const std::string query = "SELECT * FROM sched_slice WHERE cpu = 2";
        QCOMPARE(runPython(ReadDatabase, {file.path(), "SELECT * FROM sched_slice"}), joined(queryRows(*m_database, query)));
        QCOMPARE(runPython(ReadDatabase, {file.path(), "SELECT DISTINCT cpu FROM recorded_track"}), QByteArray("2\n"));
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    std::unique_ptr<sql::Database> m_database;
};

HELIO_TEST(TableExportsTest)
#include "tst_table_exports.moc"
