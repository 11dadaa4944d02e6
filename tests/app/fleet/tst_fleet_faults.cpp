// Indexing of a fleet is disturbed: processes are killed, disks are full, and several processes meet on the same traces. The catalogue made
// afterwards equals that of an undisturbed run.

#include "tests/app/cli/program.h"
#include "tests/support/dice.h"
#include "tests/support/made_fleet.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include <csignal>
#include <memory>
#include <sys/types.h>
#include <vector>

using namespace helio;
using test::MadeFleetTrace;

namespace {

constexpr quint64 Traces = 12;
constexpr int Kills = 50;

/// Traces of a fleet, and a folder for what is made of them.
class DisturbedFleet {
public:
    DisturbedFleet()
    {
        for (quint64 number = 0; number < Traces; ++number) {
            const auto cause = number % 4 == 1 ? MadeFleetTrace::Cause::Quota : MadeFleetTrace::Cause::None;
            if (!test::writeFleetTrace(path("traces/" + QString::number(number)), {"host-" + QString::number(number % 4), number, cause}))
                qFatal("not written");
        }
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }

    /// Returns the command line that indexes the traces. `run` names the stores and the file of summaries.
    QStringList indexing(const QString& run) const
    {
        return {"index", path("traces"), "--summary", path(run + ".jsonl"), "--store-dir", path(run + ".stores"), "--quiet"};
    }
    ProgramResult index(const QString& run) const { return heliograph(indexing(run)); }
    ProgramResult add(const QString& run) const { return heliograph({"fleet", "add", path(run + ".db"), path(run + ".jsonl")}); }

    /// Returns the content of a catalogue, without numbers of rows and times of indexing.
    QByteArray content(const QString& run) const { return contentOf(path(run + ".db")); }
    static QByteArray contentOf(const QString& catalogue)
    {
        const QString trace = "identity, path, host, boot, kernel, uuid, format, begin_ns, end_ns, events, streams, cpus, bytes, "
                              "cpu_busy_share, findings, error";
        QByteArray all;
        for (const QString& query :
             {"SELECT " + trace + " FROM trace ORDER BY path",
              QString("SELECT path, rank, finder, subject, text, explained_ns, share FROM finding JOIN trace ON trace.id = trace_id "
                      "ORDER BY path, rank"),
              QString("SELECT path, kind, name, count, total_ns, p50_ns, p99_ns, histogram FROM digest JOIN trace ON trace.id = trace_id "
                      "ORDER BY path, kind, name"),
              QString("SELECT path, text, is_problem FROM quality JOIN trace ON trace.id = trace_id ORDER BY path, text"),
              QString("PRAGMA table_info(trace)")})
            all += heliograph({"fleet", "sql", catalogue, query, "--format", "csv"}).out + '\n';
        return all;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace

class FleetFaultsTest : public QObject {
    Q_OBJECT

private slots:
    void killedIndexersChangeNothing()
    {
        const DisturbedFleet fleet;
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(fleet.index("calm").status, 0);
        const auto length = quint64(timer.elapsed());
        QCOMPARE(fleet.add("calm").status, 0);
        const QByteArray expected = fleet.content("calm");
        QVERIFY2(expected.count("throttling") == 3, expected.constData());

        Dice dice(7);
        int killed = 0, complete = 0;
        for (int i = 0; i < Kills; ++i) {
            // Now and then everything begins again; else the stores and lines of killed processes are there.
            const QString run = "run-" + QString::number(i / 5);
            QProcess process;
            process.setProcessEnvironment(plainEnvironment());
            process.start(HELIOGRAPH_PROGRAM, fleet.indexing(run));
            QVERIFY(process.waitForStarted());
            if (!process.waitForFinished(int(dice.below(length)))) {
                ++killed;
                kill(pid_t(process.processId()), SIGKILL);
                QVERIFY(process.waitForFinished(60'000));
            }
            if (i % 5 != 4)
                continue;
            QCOMPARE(fleet.index(run).status, 0);
            fleet.add(run); // Its status tells if a killed process left a part of a line.
            QCOMPARE(fleet.content(run), expected);
            ++complete;
        }
        QVERIFY2(killed > Kills / 4, qPrintable(QString::number(killed)));
        QCOMPARE(complete, Kills / 5);
    }

    void indexersOfTheSameTracesMeet()
    {
        const DisturbedFleet fleet;
        QCOMPARE(fleet.index("calm").status, 0);
        QCOMPARE(fleet.add("calm").status, 0);
        std::vector<std::unique_ptr<QProcess>> processes;
        for (int i = 0; i < 3; ++i) {
            processes.push_back(std::make_unique<QProcess>());
            processes.back()->setProcessEnvironment(plainEnvironment());
            processes.back()->start(HELIOGRAPH_PROGRAM, fleet.indexing("together"));
        }
        for (const auto& process : processes) {
            QVERIFY(process->waitForFinished(120'000));
            QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
        }
        const ProgramResult added = fleet.add("together");
        QVERIFY2(added.status == 0, added.err.constData());
        QVERIFY2(added.lines().last().simplified().endsWith(" 0"), added.out.constData()); // No line was rejected.
        QCOMPARE(fleet.content("together"), fleet.content("calm"));
    }

    /// Property: on a full disk the commands say so; what they wrote before is whole, and a later run completes it.
    void fullDisksAreNamed()
    {
        const DisturbedFleet fleet;
        QCOMPARE(fleet.index("calm").status, 0);
        QCOMPARE(fleet.add("calm").status, 0);
        // A mount of its own, in which commands run: first on the small disk, then with more room.
        const auto onDisk = [&](const char* size, const QString& commands) {
            const QString script = QString("mount -t tmpfs -o size=%1 none \"$0\" || exit 99; %2").arg(size, commands);
            auto environment = plainEnvironment();
            environment.insert("HELIOGRAPH", HELIOGRAPH_PROGRAM);
            environment.insert("CALM", fleet.path("calm"));
            environment.insert("TRACES", fleet.path("traces"));
            environment.insert("STORES", fleet.path("calm.stores"));
            environment.insert("COPY", fleet.path("copy.db"));
            return runTool("unshare", {"-rm", "sh", "-c", script, fleet.path("disk")}, environment);
        };
        QVERIFY(QDir().mkpath(fleet.path("disk")));
        if (onDisk("1M", "true").status != 0)
            QSKIP("no file systems can be mounted here");

        const QString index = R"("$HELIOGRAPH" index "$TRACES" --summary "$0/t.jsonl" --store-dir "$STORES" --quiet >/dev/null)";
        const QString add = R"("$HELIOGRAPH" fleet add "$0/fleet.db" "$0/t.jsonl" >/dev/null)";
        const QString more = R"(mount -o remount,size=20M "$0"; )";
        const QString keep = R"(; rm -f "$COPY"; cp "$0/fleet.db" "$COPY")";
        const ProgramResult lines = onDisk("8k", index + "; echo status $?; " + more + index + "; echo status $?; " + add + keep);
        QCOMPARE(lines.out, QByteArray("status 1\nstatus 0\n"));
        QVERIFY2(lines.err.contains("/disk/t.jsonl: cannot write: No space left on device"), lines.err.constData());
        QCOMPARE(DisturbedFleet::contentOf(fleet.path("copy.db")), fleet.content("calm"));

        const QString addCalm = R"("$HELIOGRAPH" fleet add "$0/fleet.db" "$CALM.jsonl" >/dev/null; echo status $?; )";
        const QString count = R"("$HELIOGRAPH" fleet sql "$0/fleet.db" 'SELECT count(*) FROM trace' --format csv; )";
        const ProgramResult catalogue = onDisk("200k", addCalm + count + more + addCalm + "true" + keep);
        QVERIFY2(catalogue.out.startsWith("status 1\ncount(*)\r\n0\r\n") && catalogue.out.endsWith("status 0\n"),
                 catalogue.out + catalogue.err);
        QVERIFY2(catalogue.err.contains("database or disk is full"), catalogue.err.constData());
        QCOMPARE(DisturbedFleet::contentOf(fleet.path("copy.db")), fleet.content("calm"));
    }
};

HELIO_TEST(FleetFaultsTest)
#include "tst_fleet_faults.moc"
