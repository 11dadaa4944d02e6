// The command `fleet export`: the files of an export have the rows of the catalogue and of statements over each trace, in the folders of
// their days and hosts, and an export is there completely or not at all.

#include "core/fleet/catalogue.h"
#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/made_fleet.h"
#include "tests/support/made_summary.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QTest>

#include <atomic>
#include <chrono>
#include <csignal>
#include <sys/types.h>
#include <thread>

using namespace helio;

namespace {

QByteArray readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

/// A catalogue of made summaries, and a folder for its export.
class ExportedFleet {
public:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString lake() const { return path("lake"); }

    void add(const std::vector<fleet::TraceSummary>& summaries) const
    {
        const auto catalogue = fleet::Catalogue::open(path("fleet.db").toStdString());
        if (!catalogue || !(*catalogue)->add(summaries))
            qFatal("not added");
    }
    ProgramResult write(const QStringList& arguments = {}) const
    {
        return heliograph(QStringList{"fleet", "export", path("fleet.db"), "-o", lake(), "--format", "csv"} + arguments);
    }
    /// Returns the lines of a query over the catalogue, in CSV, sorted.
    QList<QByteArray> catalogued(const QString& query) const
    {
        QList<QByteArray> lines = heliograph({"fleet", "sql", path("fleet.db"), query, "--format", "csv"}).lines().mid(1);
        std::ranges::sort(lines);
        return lines;
    }
    /// Returns the folders of a table that have files, each with the lines of its file. The names of columns are checked and left out.
    QMap<QString, QList<QByteArray>> files(const QString& table, const QByteArray& columns) const
    {
        QMap<QString, QList<QByteArray>> all;
        QDirIterator it(lake() + '/' + table, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString file = it.next();
            const QList<QByteArray> lines = ProgramResult{0, readAll(file), {}}.lines();
            if (!file.endsWith("/part.csv") || lines.value(0) != columns)
                qFatal("%s: %s", qPrintable(file), lines.value(0).constData());
            all[QDir(lake() + '/' + table).relativeFilePath(file).chopped(int(strlen("/part.csv")))] = lines.mid(1);
        }
        return all;
    }
    /// Returns the lines of all files of a table, sorted.
    QList<QByteArray> exported(const QString& table, const QByteArray& columns) const
    {
        QList<QByteArray> lines;
        for (const auto& some : files(table, columns))
            lines += some;
        std::ranges::sort(lines);
        return lines;
    }
    /// True if only these names are in the folder of the test.
    bool hasOnly(const QStringList& names) const
    {
        return QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot) == names;
    }

private:
    QTemporaryDir m_folder;
};

/// Returns summaries of a few days, of hosts with hostile names, and of a trace that could not be read.
std::vector<fleet::TraceSummary> hostileSummaries()
{
    std::vector<fleet::TraceSummary> all;
    const std::vector<std::string> hosts{"web-1", "web-1", "../../etc/x=y", "", "null", "\xff\n\"", std::string(1'000, 'h')};
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        all.push_back(test::madeSummary(std::int64_t(i)));
        fleet::TraceSummary& it = all.back();
        it.host = hosts[i];
        it.findings.front().host = i % 2 == 0 ? it.host : "";
        it.findings.front().text = "a \"text\",\r\nof two lines";
        it.beginNs = *it.beginNs + std::int64_t(i % 3) * 86'400'000'000'000;
    }
    all.back().beginNs = all.back().endNs = std::nullopt;
    all.push_back(test::failedSummary(100));
    return all;
}

constexpr const char* TraceColumns = "id,identity,path,machine,host_name,boot,kernel,uuid,format,reader,begin_ns,end_ns,duration_ns,traces,"
                                     "events,lost_events,lost_packets,gaps,streams,cpus,bytes,cpu_busy_share,findings,error,indexed_ns,"
                                     "indexed_by,store_version";

} // namespace

class FleetExportTest : public QObject {
    Q_OBJECT

private slots:
    void filesHaveTheRowsOfTheCatalogue()
    {
        const ExportedFleet fleet;
        fleet.add(hostileSummaries());
        const ProgramResult written = fleet.write();
        QCOMPARE(written.err, QByteArray());
        QCOMPARE(written.status, 0);
        QCOMPARE(written.lines(),
                 (QList<QByteArray>{"table,rows,files", "trace,8,8", "finding,7,7", "digest,14,7", "quality,14,7", "tag,7,7"}));
        const auto traces = fleet.exported("trace", TraceColumns);
        QCOMPARE(traces,
                 fleet.catalogued("SELECT id, identity, path, machine, host, boot, kernel, uuid, format, reader, begin_ns, end_ns, "
                                  "duration_ns, traces, events, lost_events, lost_packets, gaps, streams, cpus, bytes, "
                                  "cpu_busy_share, findings, error, indexed_ns, indexed_by, store_version FROM trace"));
        auto digests = fleet.exported("digest", "trace_id,kind,name,count,total_ns,min_ns,p50_ns,p90_ns,p99_ns,max_ns,histogram");
        for (QByteArray& line : digests) // `fleet sql` prints a text without characters like NULL.
            line.replace(",\"\",", ",,");
        std::ranges::sort(digests);
        QCOMPARE(digests,
                 fleet.catalogued("SELECT trace_id, kind, name, count, total_ns, min_ns, p50_ns, p90_ns, p99_ns, max_ns, histogram "
                                  "FROM digest"));
        QCOMPARE(fleet.exported("finding",
                                "trace_id,rank,finder,subject,text,detail,host_name,explained_ns,share,begin_ns,end_ns,"
                                "occurrences,color,check_with"),
                 fleet.catalogued("SELECT trace_id, rank, finder, subject, text, detail, host, explained_ns, share, begin_ns, end_ns, "
                                  "occurrences, color, check_with FROM finding"));
        QCOMPARE(fleet.exported("quality", "trace_id,text,is_problem"), fleet.catalogued("SELECT trace_id, text, is_problem FROM quality"));
        QCOMPARE(fleet.exported("tag", "trace_id,name,value"), fleet.catalogued("SELECT trace_id, name, value FROM tag"));
        QVERIFY(fleet.hasOnly({"fleet.db", "lake"}));
    }

    void foldersHaveDayAndHost()
    {
        const ExportedFleet fleet;
        fleet.add(hostileSummaries());
        QCOMPARE(fleet.write().status, 0);
        const auto files = fleet.files("tag", "trace_id,name,value");
        const QByteArray cut = "host=" + QByteArray(200, 'h') + '~';
        QCOMPARE(files.size(), 7);
        QStringList folders = files.keys();
        const auto last = std::ranges::find_if(folders, [&](const QString& it) { return it.contains(QString::fromUtf8(cut)); });
        QVERIFY(last != folders.end());
        QVERIFY2(last->startsWith("day=__HIVE_DEFAULT_PARTITION__/host="), qPrintable(*last));
        folders.erase(last);
        QCOMPARE(
            folders,
            (QStringList{"day=2023-11-14/host=__HIVE_DEFAULT_PARTITION__", "day=2023-11-14/host=web-1", "day=2023-11-15/host=%6Eull",
                         "day=2023-11-15/host=web-1", "day=2023-11-16/host=%5Cxff%0A%22", "day=2023-11-16/host=..%2F..%2Fetc%2Fx%3Dy"}));
        // The rows of other tables lie in the folders of their traces.
        const auto traces = fleet.files("trace", TraceColumns);
        for (const QString& folder : files.keys())
            QCOMPARE(csvCells(traces.value(folder).value(0)).value(0), csvCells(files.value(folder).value(0)).value(0));
        QVERIFY(traces.contains("day=__HIVE_DEFAULT_PARTITION__/host=__HIVE_DEFAULT_PARTITION__")); // The trace that could not be read.
    }

    /// Property: engines, which need a file, can read tables without rows.
    void emptyTablesHaveColumns()
    {
        const ExportedFleet fleet;
        fleet.add({});
        QCOMPARE(fleet.write().lines().mid(1), (QList<QByteArray>{"trace,0,1", "finding,0,1", "digest,0,1", "quality,0,1", "tag,0,1"}));
        QCOMPARE(fleet.files("tag", "trace_id,name,value").size(), 1);
        QCOMPARE(fleet.exported("tag", "trace_id,name,value"), QList<QByteArray>());
    }

    /// Property: the tables agree with each other, although another process adds traces in the meantime.
    void tablesAreOfOneMoment()
    {
        const ExportedFleet fleet;
        std::vector<fleet::TraceSummary> summaries;
        for (std::int64_t i = 0; i < 400; ++i)
            summaries.push_back(test::madeSummary(i));
        fleet.add(summaries);
        std::atomic<std::int64_t> next = 1'000;
        const std::jthread adding([&](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                fleet.add({test::madeSummary(next++)});
                std::this_thread::sleep_for(std::chrono::milliseconds(2)); // Lets the export get its turn at the lock.
            }
        });
        for (int i = 0; i < 3; ++i) {
            const std::int64_t before = next;
            const ProgramResult written = fleet.write({"--force"});
            QVERIFY2(written.status == 0, written.err.constData());
            QVERIFY(next > before);
            QList<int> rows;
            for (const QByteArray& line : written.lines().mid(1))
                rows << csvCells(line)[1].toInt();
            QVERIFY(rows[0] >= 400);
            QCOMPARE(rows, (QList<int>{rows[0], rows[0], 2 * rows[0], 2 * rows[0], rows[0]}));
        }
    }

    void tracesAreSelected()
    {
        const ExportedFleet fleet;
        fleet.add(hostileSummaries());
        const ProgramResult written = fleet.write({"--where", "host = 'web-1' -- and no others"});
        QCOMPARE(written.status, 0);
        QCOMPARE(written.lines().mid(1), (QList<QByteArray>{"trace,2,2", "finding,2,2", "digest,4,2", "quality,4,2", "tag,2,2"}));
        const ProgramResult wrong = fleet.write({"--where", "none = 1", "--force"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.startsWith("heliograph: --where: "), wrong.err.constData());
        QCOMPARE(fleet.exported("tag", "trace_id,name,value").size(), 2); // The earlier export is still there.
    }

    void onlyExportsAreReplaced()
    {
        const ExportedFleet fleet;
        fleet.add({test::madeSummary(1)});
        QVERIFY(QDir().mkpath(fleet.lake())); // An empty folder may be there.
        QCOMPARE(fleet.write().status, 0);
        const ProgramResult refused = fleet.write();
        QCOMPARE(refused.status, 2);
        QCOMPARE(refused.err.left(refused.err.indexOf('\n')),
                 "heliograph: --output: " + fleet.lake().toUtf8() + " is not empty. Use --force to replace an earlier export");
        fleet.add({test::madeSummary(2)});
        QCOMPARE(fleet.write({"--force"}).status, 0);
        QCOMPARE(fleet.exported("tag", "trace_id,name,value").size(), 2);
        QVERIFY(fleet.hasOnly({"fleet.db", "lake"}));
        QVERIFY(QFile::remove(fleet.lake() + "/_heliograph_export"));
        const ProgramResult foreign = fleet.write({"--force"});
        QCOMPARE(foreign.status, 2);
        QVERIFY2(foreign.err.contains("is not empty, and not an export of heliograph"), foreign.err.constData());
        QCOMPARE(fleet.exported("tag", "trace_id,name,value").size(), 2);
    }

    /// Property: replacing an export deletes no file that someone else put into its folder.
    void filesOfOthersAreKept()
    {
        const ExportedFleet fleet;
        fleet.add({test::madeSummary(1)});
        QCOMPARE(fleet.write().status, 0);
        QDirIterator written(fleet.lake() + "/tag", {"part.csv"}, QDir::Files, QDirIterator::Subdirectories);
        const QString partition = QFileInfo(written.next()).path();
        for (const QString& name : {fleet.lake() + "/notes.duckdb", fleet.lake() + "/tag/notes", partition + "/notes.csv",
                                    partition + "/part.csv/notes", fleet.lake() + "/mine/part.csv"}) {
            if (name.contains("part.csv/"))
                QVERIFY(QFile::remove(partition + "/part.csv"));
            test::writeFile(name, "mine");
            const ProgramResult refused = fleet.write({"--force"});
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.contains(" is not part of an export, and would be lost"), refused.err.constData());
            QCOMPARE(readAll(name), QByteArray("mine"));
            QVERIFY(QFile::remove(name));
            QDir().rmdir(partition + "/part.csv");
            QDir().rmdir(fleet.lake() + "/mine");
        }
        QCOMPARE(fleet.write({"--force"}).status, 0);
    }

    void permissionsOfTheFolderAreKept()
    {
        const ExportedFleet fleet;
        fleet.add({test::madeSummary(1)});
        QVERIFY(QDir().mkpath(fleet.lake()));
        const auto mode = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup;
        QVERIFY(QFile::setPermissions(fleet.lake(), mode));
        const auto expected = QFile::permissions(fleet.lake());
        QCOMPARE(fleet.write().status, 0);
        QCOMPARE(QFile::permissions(fleet.lake()), expected);
        QCOMPARE(fleet.write({"--force"}).status, 0);
        QCOMPARE(QFile::permissions(fleet.lake()), expected);
    }

    /// Property: if no trace can be read, an earlier export stays; if none has rows, the table `result` has its columns.
    void resultsWithoutRows()
    {
        const ExportedFleet fleet;
        QVERIFY(test::writeFleetTrace(fleet.path("traces/1"), {"web", 1}));
        QCOMPARE(heliograph({"fleet", "add", fleet.path("fleet.db"), fleet.path("traces"), "--quiet"}).status, 0);
        QCOMPARE(fleet.write({"SELECT 1 AS one"}).status, 0);
        const ProgramResult none = fleet.write({"SELECT ts, dur FROM slice WHERE dur < -1", "--force"});
        QCOMPARE(none.err, QByteArray());
        QCOMPARE(none.lines().last(), QByteArray("result,0,1"));
        QCOMPARE(fleet.files("result", "trace,ts,dur").size(), 1);
        QVERIFY(QDir(fleet.path("traces")).removeRecursively());
        const ProgramResult failed = fleet.write({"SELECT 1 AS one", "--force"});
        QCOMPARE(failed.status, 1);
        QVERIFY2(failed.err.endsWith("heliograph: the statement failed for each trace, so nothing was exported\n"), failed.err.constData());
        QCOMPARE(fleet.files("result", "trace,ts,dur").size(), 1);
    }

    /// Property: the table `result` has the rows of `fleet run`, in the folders of their traces.
    void rowsOfASingleTraceAreExported()
    {
        const ExportedFleet fleet;
        QVERIFY(test::writeFleetTrace(fleet.path("traces/1"), {"web", 1}));
        QCOMPARE(heliograph({"fleet", "add", fleet.path("fleet.db"), fleet.path("traces"), "--quiet"}).status, 0);
        const ProgramResult written = fleet.write({"SELECT 1 AS one"});
        QCOMPARE(written.err, QByteArray());
        QCOMPARE(written.lines().last(), QByteArray("result,1,1"));
    }

    void rowsOfStatementsAreExported()
    {
        using Cause = test::MadeFleetTrace::Cause;
        const ExportedFleet fleet;
        const std::vector<test::MadeFleetTrace> traces{{"web", 1}, {"db", 2}, {"web", 3, Cause::Quota}, {"web", 2'000}};
        for (const test::MadeFleetTrace& trace : traces)
            QVERIFY(test::writeFleetTrace(fleet.path("traces/" + QString::number(trace.number)), trace));
        QCOMPARE(heliograph({"fleet", "add", fleet.path("fleet.db"), fleet.path("traces"), "--quiet"}).status, 0);
        const QString statement = "SELECT state, count(*) AS n, sum(dur) / 1e9 AS seconds FROM thread_state GROUP BY state";
        const ProgramResult run = heliograph({"fleet", "run", fleet.path("fleet.db"), statement, "--format", "csv"});
        QVERIFY(run.lines().size() > 8);
        const ProgramResult written = fleet.write({statement});
        QCOMPARE(written.err, QByteArray());
        QCOMPARE(written.lines().last(), "result," + QByteArray::number(run.lines().size() - 1) + ",3");
        auto expected = run.lines().mid(1);
        std::ranges::sort(expected);
        QCOMPARE(fleet.exported("result", "trace,state,n,seconds"), expected);
        const auto files = fleet.files("result", "trace,state,n,seconds");
        QCOMPARE(files.keys(), (QStringList{"day=2023-11-14/host=db", "day=2023-11-14/host=web", "day=2023-11-16/host=web"}));
        for (const QByteArray& line : files["day=2023-11-16/host=web"])
            QVERIFY2(line.contains("/traces/2000"), line.constData());
        const ProgramResult taken = fleet.write({"SELECT 1 AS Day", "--force"});
        QCOMPARE(taken.status, 2);
        QCOMPARE(taken.err, QByteArray("heliograph: the column \"Day\" is one of the folders; rename it with AS\n"));
        // A trace that cannot be read is named; the rows of the others are written.
        QVERIFY(QDir(fleet.path("traces/2")).removeRecursively());
        const ProgramResult partly = fleet.write({statement, "--force"});
        QCOMPARE(partly.status, 1);
        QVERIFY2(partly.err.endsWith("heliograph: 1 trace could not be read completely\n"), partly.err.constData());
        QCOMPARE(fleet.files("result", "trace,state,n,seconds").keys().size(), 2);
        QVERIFY(fleet.hasOnly({"fleet.db", "lake", "traces"}));
    }

    /// Property: on a full disk, the command says so, and nothing is left.
    void fullDisksLeaveNothing()
    {
        const ExportedFleet fleet;
        std::vector<fleet::TraceSummary> summaries;
        for (std::int64_t i = 0; i < 200; ++i)
            summaries.push_back(test::madeSummary(i));
        fleet.add(summaries);
        const auto onDisk = [&](const char* size) {
            const QString script =
                QString("mount -t tmpfs -o size=%1 none \"$1\" || exit 99; shift; \"$@\"; echo \"status $?\"; ls -A \"$OLDPWD\"").arg(size);
            return runTool("unshare",
                           {"-rm", "sh", "-c", "cd \"$1\" && cd / && " + script, "sh", fleet.path("disk"), HELIOGRAPH_PROGRAM, "fleet",
                            "export", fleet.path("fleet.db"), "-o", fleet.path("disk") + "/lake"},
                           plainEnvironment());
        };
        QVERIFY(QDir().mkpath(fleet.path("disk")));
        const ProgramResult enough = onDisk("40M");
        if (enough.status != 0 || !enough.out.contains("status "))
            QSKIP("no file systems can be mounted here");
        QVERIFY2(enough.out.endsWith("status 0\nlake\n"), enough.out + enough.err);
        for (const char* const size : {"4k", "100k", "1M"}) {
            const ProgramResult full = onDisk(size);
            QVERIFY2(full.out == "status 1\n", size + full.out);
            QVERIFY2(full.err.startsWith("heliograph: Cannot write ") && full.err.endsWith(": no space left on device\n"),
                     full.err.constData());
        }
    }

    /// Property: an interrupt ends the export, and neither a folder nor a temporary file is left.
    void interruptsLeaveNothing()
    {
        const ExportedFleet fleet;
        QCOMPARE(heliograph({"fleet", "add", fleet.path("fleet.db"), sampleTrace(), "--quiet"}).status, 0);
        const QTemporaryDir temporary;
        auto environment = plainEnvironment();
        environment.insert("TMPDIR", temporary.path());
        environment.insert("XDG_CACHE_HOME", temporary.path() + "/cache");
        QProcess process;
        process.setProcessEnvironment(environment);
        const QString endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) AS n FROM c";
        process.start(HELIOGRAPH_PROGRAM, {"fleet", "export", fleet.path("fleet.db"), endless, "-o", fleet.lake()});
        QVERIFY(process.waitForStarted());
        const auto isAsked = [&] { return !QDir(temporary.path()).entryList({"heliograph-fleet-*"}).isEmpty(); };
        QTRY_VERIFY_WITH_TIMEOUT(isAsked(), 60'000);
        kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(process.readAllStandardError(), QByteArray("heliograph: cancelled\n"));
        QVERIFY(fleet.hasOnly({"fleet.db"}));
        QVERIFY(!isAsked());
    }

    void foldersThatCannotBeWrittenAreNamed()
    {
        const ExportedFleet fleet;
        fleet.add({test::madeSummary(1)});
        const QString file = test::writeFile(fleet.path("file"), "x");
        const auto errorOf = [&](const QString& target) {
            const ProgramResult run = heliograph({"fleet", "export", fleet.path("fleet.db"), "-o", target});
            return QByteArray::number(run.status) + ' ' + run.err.left(run.err.indexOf('\n'));
        };
        QCOMPARE(errorOf(file), "2 heliograph: --output: " + file.toUtf8() + " is not a folder");
        QCOMPARE(errorOf(fleet.path("none/lake")),
                 "1 heliograph: Cannot write " + fleet.path("none/lake").toUtf8() + ": no such file or directory");
        QCOMPARE(errorOf(fleet.path("file/lake")), "1 heliograph: Cannot write " + fleet.path("file/lake").toUtf8() + ": not a directory");
    }
};

HELIO_TEST(FleetExportTest)
#include "tst_fleet_export.moc"
