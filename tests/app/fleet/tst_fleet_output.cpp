// The command `fleet`: sources are added once, queries run over summaries and over traces, and wrong sources and traces are named.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

using namespace helio;

namespace {

const QString Small = SOURCE_DIR "/tests/fixtures/kernel-small";
const QString TwoHosts = SOURCE_DIR "/tests/fixtures/two-hosts-small";

QByteArray readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<QByteArray> csv(const QStringList& arguments) { return heliograph(arguments + QStringList{"--format", "csv"}).lines(); }

/// Returns the processes that a process started.
QList<pid_t> childrenOf(const QProcess& process)
{
    const QDir threads("/proc/" + QString::number(process.processId()) + "/task");
    QList<pid_t> children;
    for (const QString& thread : threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        for (const QByteArray& child : readAll(threads.filePath(thread + "/children")).simplified().split(' '))
            if (!child.isEmpty())
                children << child.toInt();
    return children;
}

/// A catalogue in a temporary folder.
class MadeFleet {
public:
    QString path(const QString& name = "fleet.db") const { return m_folder.filePath(name); }
    ProgramResult add(const QStringList& sources) const { return heliograph(QStringList{"fleet", "add", path(), "--quiet"} + sources); }
    QList<QByteArray> rows(const QString& query) const { return csv({"fleet", "sql", path(), query}).mid(1); }
    ProgramResult run(const QStringList& arguments) const { return heliograph(QStringList{"fleet", "run", path()} + arguments); }

private:
    QTemporaryDir m_folder;
};

} // namespace

class FleetOutputTest : public QObject {
    Q_OBJECT

private slots:
    void sourcesOfEachKindAreAdded()
    {
        const MadeFleet fleet;
        const QString summaries = fleet.path("a.jsonl");
        QCOMPARE(heliograph({"index", Small, "--summary", summaries, "--quiet"}).status, 0);
        const QString list = test::writeFile(fleet.path("sub/list.txt"), "# traces\n" + sampleTrace().toUtf8() + "\r\n\n../a.jsonl\n");
        const ProgramResult added = fleet.add({TwoHosts, summaries, list, "--format", "csv"});
        QCOMPARE(added.status, 0);
        QCOMPARE(added.lines(),
                 (QList<QByteArray>{"source,new,updated,unchanged,unreadable,rejected", TwoHosts.toUtf8() + ",2,0,0,0,0",
                                    summaries.toUtf8() + ",1,0,0,0,0", list.toUtf8() + ",1,0,1,0,0"}));
        QCOMPARE(fleet.rows("SELECT count(*) FROM trace"), (QList<QByteArray>{"4"}));
        QCOMPARE(fleet.rows("SELECT sum(events) FROM trace WHERE path LIKE '%kernel-small%'"),
                 (QList<QByteArray>{heliograph({"events", Small, "--count"}).out.trimmed()}));
    }

    void tagsAreGiven()
    {
        const MadeFleet fleet;
        fleet.add({Small});
        QCOMPARE(fleet.add({Small, "--tag", "run=7"}).status, 0);
        QCOMPARE(fleet.rows("SELECT name, value FROM tag"), (QList<QByteArray>{"run,7"}));
        QCOMPARE(fleet.rows("SELECT count(*) FROM trace"), (QList<QByteArray>{"1"}));
    }

    void wrongSourcesAreNamed()
    {
        const MadeFleet fleet;
        const QString summaries = fleet.path("a.jsonl");
        QCOMPARE(heliograph({"index", Small, "--summary", summaries, "--quiet"}).status, 0);
        QFile file(summaries);
        QVERIFY(file.open(QIODevice::Append));
        file.write("{\"summary\":1,\"path\":\"/x\",\"events\":\"many\"}\nnonsense\n");
        file.close();
        const ProgramResult added = fleet.add({summaries, fleet.path("none"), "--format", "csv"});
        QCOMPARE(added.status, 1);
        QVERIFY2(added.err.contains((summaries + ":2: member \"events\": not a whole number\n").toUtf8()), added.err.constData());
        QVERIFY2(added.err.contains((summaries + ":3: not an object of JSON: ").toUtf8()), added.err.constData());
        QVERIFY2(added.err.contains((fleet.path("none") + ": no such file or folder\n").toUtf8()), added.err.constData());
        QCOMPARE(added.lines().value(1), summaries.toUtf8() + ",1,0,0,0,2");
        QCOMPARE(added.lines().value(2), fleet.path("none").toUtf8() + ",0,0,0,1,0");
        QCOMPARE(fleet.rows("SELECT error FROM trace WHERE identity IS NULL"), (QList<QByteArray>{"no such file or folder"}));
        QCOMPARE(fleet.add({fleet.path("none.jsonl")}).status, 1);
    }

    void wrongQueriesHaveThePosition()
    {
        const MadeFleet fleet;
        fleet.add({Small});
        const ProgramResult wrong = heliograph({"fleet", "sql", fleet.path(), "SELECT\nnone FROM trace"});
        QCOMPARE(wrong.status, 2);
        QCOMPARE(wrong.err, QByteArray("heliograph: line 2, column 1: no such column: none\n"));
        QCOMPARE(heliograph({"fleet", "sql", fleet.path(), "DELETE FROM trace"}).status, 2);
        QCOMPARE(fleet.rows("SELECT count(*) FROM trace"), (QList<QByteArray>{"1"}));
        const ProgramResult foreign = heliograph({"fleet", "sql", Small + "/README", "SELECT 1"});
        QCOMPARE(foreign.status, 1);
    }

    void queriesRunOverAllTraces()
    {
        const MadeFleet fleet;
        fleet.add({TwoHosts, Small});
        const QString query = "SELECT count(*) AS n, 'a\"b' AS t, NULL AS e FROM event";
        const ProgramResult all = fleet.run({query, "--jobs", "2"});
        QCOMPARE(all.err, QByteArray());
        QCOMPARE(all.status, 0);
        QList<QByteArray> expected{"trace,n,t,e"};
        for (const QByteArray& path : fleet.rows("SELECT path FROM trace ORDER BY id"))
            expected << path + ',' + heliograph({"events", QString::fromUtf8(path), "--count"}).out.trimmed() + ",\"a\"\"b\",";
        QCOMPARE(expected.size(), 4);
        QCOMPARE(all.lines(), expected);
        const auto json = fleet.run({query, "--where", "path LIKE '%kernel-small%'", "--json"}).lines();
        QCOMPARE(json.size(), 1);
        QVERIFY2(json[0].startsWith("{\"trace\":\"/") && json[0].endsWith(",\"t\":\"a\\\"b\",\"e\":null}"), json[0].constData());
    }

    void resultsAreMerged()
    {
        const MadeFleet fleet;
        fleet.add({TwoHosts, Small, sampleTrace()});
        const QString slices = "SELECT name, count(*) AS n, sum(dur) AS total FROM slice GROUP BY name";
        QHash<QByteArray, std::pair<qint64, qint64>> sums;
        for (const QByteArray& path : fleet.rows("SELECT path FROM trace"))
            for (const QByteArray& line : csv({"sql", QString::fromUtf8(path), slices}).mid(1)) {
                const auto cells = csvCells(line);
                sums[cells[0]].first += cells[1].toLongLong();
                sums[cells[0]].second += cells[2].toLongLong();
            }
        const ProgramResult merged =
            fleet.run({slices, "--merge", "SELECT name, sum(n), sum(total) FROM result GROUP BY name", "--format", "csv"});
        QCOMPARE(merged.status, 0);
        const auto lines = merged.lines().mid(1);
        QVERIFY(lines.size() > 20);
        QCOMPARE(lines.size(), sums.size());
        for (const QByteArray& line : lines) {
            const auto cells = csvCells(line);
            QCOMPARE(cells[1].toLongLong(), sums[cells[0]].first);
            QCOMPARE(cells[2].toLongLong(), sums[cells[0]].second);
        }
        // The merging query also sees the catalogue.
        const auto byHost =
            fleet
                .run({"SELECT count(*) AS n FROM event", "--merge",
                      "SELECT host, sum(n) = sum(events) FROM result JOIN trace ON path = result.trace GROUP BY host", "--format", "csv"})
                .lines();
        QVERIFY(byHost.size() >= 3);
        for (const QByteArray& line : byHost.mid(1))
            QVERIFY2(line.endsWith(",1"), line.constData());
        const ProgramResult nothing =
            fleet.run({"SELECT dur AS n FROM slice WHERE 0", "--merge", "SELECT count(n) AS n FROM result", "--format", "csv"});
        QCOMPARE(nothing.err, QByteArray());
        QCOMPARE(nothing.lines(), (QList<QByteArray>{"n", "0"}));
        const ProgramResult none = fleet.run({"CREATE VIEW v AS SELECT 1", "--merge", "SELECT * FROM result"});
        QCOMPARE(none.status, 0);
        QCOMPARE(none.err, QByteArray("heliograph: no trace gave a result, so there is nothing to merge\n"));
    }

    void failedTracesAreNamed()
    {
        const MadeFleet fleet;
        const QString copy = test::copyTree(Small, fleet.path("copied trace"));
        fleet.add({copy, sampleTrace()});
        QVERIFY(QDir(copy).removeRecursively());
        const ProgramResult run = fleet.run({"SELECT count(*) AS n FROM event"});
        QCOMPARE(run.status, 1);
        QCOMPARE(run.lines().size(), 2);
        QCOMPARE(run.err,
                 "heliograph: " + copy.toUtf8() + "/kernel: no such file or folder\nheliograph: 1 trace could not be read completely\n");
    }

    void wrongStatementsEndTheRun()
    {
        const MadeFleet fleet;
        fleet.add({TwoHosts, Small});
        const auto errorOf = [&](const QStringList& arguments) {
            const ProgramResult run = fleet.run(arguments);
            return QByteArray::number(run.status) + ' ' + run.err;
        };
        QCOMPARE(errorOf({"SELECT none FROM slice"}), QByteArray("2 heliograph: line 1, column 8: no such column: none\n"));
        QCOMPARE(errorOf({"SELECT 1 AS a", "--merge", "SELECT b FROM result"}),
                 QByteArray("2 heliograph: --merge: line 1, column 8: no such column: b\n"));
        QVERIFY2(errorOf({"SELECT 1", "--where", "b = 1"}).startsWith("2 heliograph: --where: "),
                 errorOf({"SELECT 1", "--where", "b = 1"}).constData());
        QVERIFY(errorOf({"SELECT 1", "--where", "host = 'none'"})
                    .startsWith("1 heliograph: " + fleet.path().toUtf8() + ": no readable traces"));
    }

    void readingOptionsAreKept()
    {
        const MadeFleet fleet;
        fleet.add({sampleTrace()});
        const QString first = "SELECT min(ts) AS t FROM event", name = "workers/kernel";
        const auto timeWith = [&](const QStringList& options) {
            const ProgramResult run = fleet.run(QStringList{first} + options);
            return run.status == 0 ? csvCells(run.lines().value(1)).value(1).toLongLong() : -1;
        };
        const qint64 plain = timeWith({});
        QVERIFY(plain > 0);
        QCOMPARE(timeWith({"--offset", name + "=1000"}), plain + 1000);
        QCOMPARE(timeWith({"--offset=" + name + "=-1000", "--no-sync", "--store-dir", fleet.path("stores")}), plain - 1000);
        QVERIFY(QDir(fleet.path("stores")).exists());
        const ProgramResult wrong = fleet.run({first, "--offset", "none=1"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.startsWith("heliograph: --offset: no trace is named \"none\"; there are: workers/kernel ("),
                 wrong.err.constData());
    }

    void pathsMayBeAnyBytes()
    {
        const MadeFleet fleet;
        const QByteArray odd = fleet.path("-- \"a'b").toUtf8() + "\n\xff";
        std::filesystem::create_directory(odd.toStdString());
        std::filesystem::copy(Small.toStdString(), (odd + "/[x]").toStdString(), std::filesystem::copy_options::recursive);
        // Neither QProcess nor a list can pass such a path, so that a summary of its parent folder has it.
        QCOMPARE(fleet.add({fleet.path(".")}).status, 0);
        const QString query = "SELECT count(*) AS n FROM event";
        const ProgramResult run = fleet.run({query, "--json"});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.endsWith("\",\"n\":" + heliograph({"events", Small, "--count"}).out.trimmed() + "}\n"), run.out.constData());
    }

    /// Property: a trace whose process dies has no rows, and all other traces are asked by another process.
    void deadProcessesFailTheirTraceOnly()
    {
        const MadeFleet fleet;
        fleet.add({TwoHosts, Small, sampleTrace()});
        const QList<QByteArray> paths = fleet.rows("SELECT path FROM trace ORDER BY id");
        QCOMPARE(paths.size(), 4);
        const QByteArray events = heliograph({"events", QString::fromUtf8(paths[1]), "--count"}).out.trimmed();
        // The statement has no end for one of the traces only.
        const QString endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE (SELECT count(*) FROM event) = "
            + QString::fromUtf8(events) + ") SELECT max(n) AS n FROM c";
        const QTemporaryDir temporary;
        auto environment = plainEnvironment();
        environment.insert("TMPDIR", temporary.path());
        environment.insert("XDG_CACHE_HOME", fleet.path("cache"));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(HELIOGRAPH_PROGRAM, {"fleet", "run", fleet.path(), endless, "--jobs", "1"});
        QVERIFY(process.waitForStarted());
        const auto second = [&] { return QDir(temporary.path()).entryList({"heliograph-fleet-*"}).value(0, "none") + "/1.out"; };
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(temporary.filePath(second())), 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(childrenOf(process).size(), 1, 60'000);
        const QList<pid_t> children = childrenOf(process);
        kill(children.first(), SIGKILL);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 1);
        QCOMPARE(process.readAllStandardOutput(), "trace,n\r\n" + paths[0] + ",1\r\n" + paths[2] + ",1\r\n" + paths[3] + ",1\r\n");
        QCOMPARE(process.readAllStandardError(),
                 "heliograph: " + paths[1] + ": the process ended with status 137\nheliograph: 1 trace could not be read completely\n");
    }

    /// Property: a signal to the program, or to its process group as by Ctrl+C, ends all its processes, and no file of them is left.
    void interruptsEndAllProcesses_data()
    {
        QTest::addColumn<bool>("toGroup");
        QTest::newRow("program") << false;
        QTest::newRow("group") << true;
    }
    void interruptsEndAllProcesses()
    {
        QFETCH(bool, toGroup);
        const MadeFleet fleet;
        fleet.add({TwoHosts, Small});
        const QTemporaryDir temporary;
        auto environment = plainEnvironment();
        environment.insert("TMPDIR", temporary.path());
        environment.insert("XDG_CACHE_HOME", fleet.path("cache"));
        QProcess process;
        process.setProcessEnvironment(environment);
        const QString endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
        process.setChildProcessModifier([] { ::setpgid(0, 0); });
        process.start(HELIOGRAPH_PROGRAM, {"fleet", "run", fleet.path(), endless, "--jobs", "2"});
        QVERIFY(process.waitForStarted());
        const auto outputs = [&] { return QDir(temporary.path()).entryList({"heliograph-fleet-*"}).value(0, "none") + "/1.out"; };
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(temporary.filePath(outputs())), 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(childrenOf(process).size(), 2, 60'000);
        const QList<pid_t> children = childrenOf(process);
        kill(toGroup ? -pid_t(process.processId()) : pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(process.readAllStandardError(), QByteArray("heliograph: cancelled\n"));
        QCOMPARE(QDir(temporary.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
        for (const pid_t child : children)
            QVERIFY2(kill(child, 0) != 0, "a process still runs");
    }

    /// Property: if the temporary folder is full, each trace has failed, and a statement without an end does not go on.
    void fullTemporaryFoldersEndTheRun()
    {
        const MadeFleet fleet;
        fleet.add({Small, sampleTrace()});
        const QString endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c";
        QVERIFY(QDir().mkpath(fleet.path("disk")));
        auto environment = plainEnvironment();
        environment.insert("TMPDIR", fleet.path("disk"));
        environment.insert("XDG_CACHE_HOME", fleet.path("cache"));
        const QString script = "mount -t tmpfs -o size=1M none \"$1\" || exit 99; shift; exec \"$@\"";
        const ProgramResult run = runTool(
            "unshare", {"-rm", "sh", "-c", script, "sh", fleet.path("disk"), HELIOGRAPH_PROGRAM, "fleet", "run", fleet.path(), endless},
            environment);
        if (run.status == 99 || run.err.startsWith("unshare"))
            QSKIP("no file systems can be mounted here");
        QCOMPARE(run.status, 1);
        QCOMPARE(run.out, QByteArray());
        QCOMPARE(run.err.count(".out: No space left on device\n"), 2);
        QVERIFY2(run.err.endsWith("heliograph: 2 traces could not be read completely\n"), run.err.constData());
    }

    /// Property: the commands of the guide's page and of the command's help run, apart from those with placeholders.
    void commandsOfTheGuideRun()
    {
        const MadeFleet fleet;
        QFile page(SOURCE_DIR "/resources/guide/fleet.md");
        QVERIFY(page.open(QIODevice::ReadOnly));
        QStringList lines = QString::fromUtf8(page.readAll()).split('\n');
        lines += QString::fromUtf8(heliograph({"fleet", "--help"}).out).split('\n');
        QStringList commands;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            QString command = lines[i].trimmed();
            if (!lines[i].startsWith(' ') || !(command.startsWith("heliograph index ") || command.startsWith("heliograph fleet ")))
                continue;
            while (command.endsWith('\\'))
                command = command.chopped(1) + lines[++i].trimmed();
            command.replace("TRACE...", QString("'%1'").arg(sampleTrace())).replace("SELECT \u2026", "SELECT 1 AS n");
            command.replace("cpus >= 8", "cpus >= 1"); // The sample is of a small machine.
            command.replace("FOLDER --tag", QString("'%1' --tag").arg(SOURCE_DIR "/tests/fixtures/two-hosts-small"));
            if (!command.contains("CATALOGUE") && !command.contains("{}"))
                commands << command;
        }
        QVERIFY2(commands.size() >= 12, qPrintable(commands.join('\n')));
        auto environment = plainEnvironment();
        environment.insert("PATH", QFileInfo(HELIOGRAPH_PROGRAM).path() + ':' + environment.value("PATH"));
        environment.insert("XDG_CACHE_HOME", fleet.path("cache"));
        for (const QString& command : std::as_const(commands)) {
            if (command.contains("-o lake") && !command.contains("--force"))
                QDir(fleet.path("lake")).removeRecursively(); // An earlier command has written it.
            const ProgramResult run = runTool("sh", {"-c", QString("cd '%1' && %2").arg(fleet.path("."), command)}, environment);
            QVERIFY2(run.status == 0 && !run.err.contains("heliograph: "), qPrintable(command + '\n' + QString::fromUtf8(run.err)));
        }
        QVERIFY(QFile::exists(fleet.path("lake/_heliograph_export")));
    }

    void examplesOfTheGuideAreRight()
    {
        const MadeFleet fleet;
        fleet.add({TwoHosts, Small, sampleTrace(), "--tag", "workload=checkout"});
        QFile page(SOURCE_DIR "/resources/guide/fleet.md");
        QVERIFY(page.open(QIODevice::ReadOnly));
        QStringList queries{QString()}; // Indented blocks of code that begin with SELECT.
        const QStringList lines = QString::fromUtf8(page.readAll()).split('\n');
        int plans = 0;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (lines[i].startsWith("    SELECT ") || (lines[i].startsWith("    ") && !queries.last().isEmpty()))
                queries.last() += lines[i] + '\n';
            else if (!queries.last().isEmpty())
                queries << QString();
            const QString command = "    $ heliograph fleet sql fleet.db \"";
            if (!lines[i].startsWith(command))
                continue;
            const QString query = lines[i].mid(command.size()).chopped(1);
            const QByteArray plan = heliograph({"fleet", "sql", fleet.path(), query, "--format", "csv"}).out;
            QVERIFY2(plan.contains(lines[i + 1].section("\u2026 ", 1).toUtf8()), qPrintable(query + '\n' + QString::fromUtf8(plan)));
            ++plans;
        }
        QCOMPARE(plans, 3);
        queries.removeAll(QString());
        QCOMPARE(queries.size(), 5);
        for (const QString& query : queries) {
            const ProgramResult run = heliograph({"fleet", "sql", fleet.path(), query, "--format", "csv"});
            QVERIFY2(run.status == 0 && run.err.isEmpty(), qPrintable(query + QString::fromUtf8(run.err)));
        }
        const auto latency = fleet.rows(queries[2]);
        QCOMPARE(latency.size(), 1);
        QVERIFY2(latency[0].startsWith("20") && csvCells(latency[0])[1].toLongLong() > 0, latency[0].constData());
    }

    void optionsFitTheAction()
    {
        const auto errorOf = [](const QStringList& arguments) {
            const ProgramResult run = heliograph(QStringList{"fleet"} + arguments);
            return run.status == 2 ? run.err.left(run.err.indexOf('\n')) : QByteArray("accepted");
        };
        QVERIFY(errorOf({}).contains("expected: add CATALOGUE SOURCE..."));
        QVERIFY(errorOf({"remove", "a"}).contains("expected: add CATALOGUE SOURCE..."));
        QCOMPARE(errorOf({"sql"}), QByteArray("heliograph: fleet: a CATALOGUE is missing"));
        QVERIFY(errorOf({"add", "a.db"}).contains("a SOURCE is missing"));
        QVERIFY(errorOf({"run", "a.db"}).contains("a statement is missing"));
        QVERIFY(errorOf({"sql", "a.db", "SELECT", "1"}).contains("too many arguments; quote the statement"));
        QCOMPARE(errorOf({"sql", "a.db", "SELECT 1", "--tag", "a=b"}), QByteArray("heliograph: --tag: only valid with fleet add"));
        QCOMPARE(errorOf({"add", "a.db", "x", "--where", "1"}),
                 QByteArray("heliograph: --where: only valid with fleet run and fleet export"));
        QCOMPARE(errorOf({"sql", "a.db", "SELECT 1", "--merge", "x"}), QByteArray("heliograph: --merge: only valid with fleet run"));
        QCOMPARE(errorOf({"export", "a.db"}), QByteArray("heliograph: fleet: -o FOLDER is missing"));
        QCOMPARE(errorOf({"run", "a.db", "SELECT 1", "-o", "x"}), QByteArray("heliograph: --output: only valid with fleet export"));
        QCOMPARE(errorOf({"run", "a.db", "SELECT 1", "--force"}), QByteArray("heliograph: --force: only valid with fleet export"));
        QCOMPARE(errorOf({"export", "a.db", "-o", "x", "--no-sync"}),
                 QByteArray("heliograph: --no-sync: only valid with a statement over each trace"));
        QCOMPARE(errorOf({"sql", "a.db", "SELECT 1", "--no-sync"}),
                 QByteArray("heliograph: --no-sync: not valid with fleet sql, which opens no trace"));
    }
};

HELIO_TEST(FleetOutputTest)
#include "tst_fleet_output.moc"
