// The command "record" with real tools, where this machine has them: what it prints, what it records, and that a recording opens with the
// names of its functions where the program is gone.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace helio;

namespace {

/// A folder in which Heliograph runs, with a program to record.
class Workplace {
public:
    QString path(const QString& name = {}) const { return m_folder.filePath(name); }

    /// Compiles a C program; returns false if there is no compiler.
    bool compile(const QString& name, const QByteArray& source, const QStringList& options = {}) const
    {
        test::writeFile(path(name + ".c"), source);
        return runTool("cc", QStringList{"-g", "-O1", "-o", path(name), path(name + ".c")} + options, plainEnvironment()).status == 0;
    }

    QProcessEnvironment environment() const
    {
        auto environment = plainEnvironment();
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"})
            environment.insert(place, path());
        environment.insert("PATH", path() + ':' + environment.value("PATH")); // Tests may put tools of their own there.
        return environment;
    }
    ProgramResult heliograph(const QStringList& arguments) const { return runTool(HELIOGRAPH_PROGRAM, arguments, environment()); }
    ProgramResult record(const QStringList& arguments) const
    {
        return heliograph(QStringList{"record", "--no-open", "-o", path("r.heliotrace")} + arguments);
    }
    QJsonObject description() const
    {
        QFile file(path("r.heliotrace/record.json"));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }

private:
    const QTemporaryDir m_folder;
};

const QByteArray Spinning = "static volatile unsigned long n;\n"
                            "__attribute__((noinline)) void spinHere(void) { for (unsigned long i = 0; i < 400000000; ++i) n += i; }\n"
                            "int main(void) { spinHere(); return 5; }\n";

bool perfRecords(const QStringList& options = {})
{
    const QTemporaryDir folder;
    return runTool("perf", QStringList{"record"} + options + QStringList{"-o", folder.filePath("x"), "true"}, plainEnvironment()).status
        == 0;
}

/// True if something of the recording by the process `id` in a workplace is still enabled.
bool isLeft(const Workplace& place, qint64 id)
{
    const bool hasPerf = runTool("pgrep", {"-f", "perf record .*" + place.path("r.heliotrace")}, plainEnvironment()).status == 0;
    return QFile::exists("/sys/kernel/tracing/instances/heliograph-" + QString::number(id)) || hasPerf;
}

bool perfRecordsTracepoints()
{
    const QTemporaryDir folder;
    return ::getuid() == 0
        && runTool("perf", {"record", "-a", "-e", "sched:sched_switch", "-o", folder.filePath("x"), "true"}, plainEnvironment()).status
        == 0;
}

} // namespace

class RecordOutputTest : public QObject {
    Q_OBJECT

private slots:
    void presetsAreListed()
    {
        const ProgramResult result = Workplace().heliograph({"record", "--list"});
        QCOMPARE(result.status, 0);
        QVERIFY(result.lines().contains("cpu        Where CPU time goes: sampled call stacks (perf)"));
        QVERIFY(result.lines().contains("system     Threads, disks, network and interrupts (lttng, perf, trace-cmd, tracefs)"));
    }

    void dryRunsRecordNothing()
    {
        const Workplace place;
        const ProgramResult result = place.record({"cpu", "--tool", "perf", "--dry-run", "--for", "2s", "--", "true", "--for", "x"});
        QCOMPARE(result.status, 0);
        QVERIFY(result.out.contains("-F 999 -o " + place.path("r.heliotrace").toUtf8() + "/perf.data -- true --for x\n"));
        QVERIFY(!QFile::exists(place.path("r.heliotrace")));
    }

    void wrongUsesAreExplained_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("message");
        const auto add = [](const char* name, const QStringList& arguments, const char* message) {
            test::addRow(name, arguments, QByteArray(message));
        };
        add("preset", {"cup", "--", "true"}, "there is no preset \"cup\"; presets: system, cpu, off-cpu");
        add("time", {"--for", "soon"}, "--for: \"soon\" is not a time, e.g. 10s");
        add("tool", {"--tool", "dtrace"}, "--tool: \"dtrace\" is not perf, lttng, trace-cmd or tracefs");
        add("process and command", {"--pid", "1", "--", "true"}, "--pid: is not valid with a command");
        add("root", {"--as-root"}, "--as-root: is only valid with --sudo");
        add("host", {"--host", "-oProxyCommand=true"}, "--host");
        add("dump", {"--dump"}, "no recording with a ring buffer runs");
    }
    void wrongUsesAreExplained()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, message);
        const Workplace place;
        const ProgramResult result = place.heliograph(QStringList{"record", "--no-open"} + arguments);
        QVERIFY(result.status != 0);
        QVERIFY2(result.err.contains(message), result.err.constData());
    }

    void aMissingCommandStopsTheRecording()
    {
        const Workplace place;
        const ProgramResult result = place.record({"cpu", "--", "no-such-program-at-all"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("The command was not found: no-such-program-at-all"), result.err.constData());
        QVERIFY(!QFile::exists(place.path("r.heliotrace")));
    }

    void sampledFunctionsKeepTheirNamesWithoutTheProgram()
    {
        const Workplace place;
        if (!perfRecords() || !place.compile("spin", Spinning))
            QSKIP("perf cannot record here, or there is no C compiler");
        const ProgramResult result = place.record({"cpu", "--", place.path("spin")});
        QVERIFY2(result.status == 0, result.err.constData());
        QVERIFY(result.err.contains("the command ended with status 5"));
        QCOMPARE(place.description()["complete"].toBool(), true);
        QCOMPARE(place.description()["exit_status"].toInt(), 5);
        QFile::remove(place.path("spin"));

        const ProgramResult flame = place.heliograph({"flame", place.path("r.heliotrace"), "--format", "folded", "--quiet"});
        QCOMPARE(flame.status, 0);
        QVERIFY2(flame.out.contains(";spinHere"), flame.out.constData());
    }

    void tracepointsGiveStates()
    {
        if (!perfRecordsTracepoints())
            QSKIP("perf cannot record tracepoints here");
        const Workplace place;
        const ProgramResult result = place.record({"sched", "--tool", "perf", "--for", "500ms"});
        QVERIFY2(result.status == 0, result.err.constData());
        const ProgramResult states =
            place.heliograph({"stats", place.path("r.heliotrace"), "--view", "resources", "--format", "csv", "--quiet"});
        QVERIFY2(states.out.contains(",idle,") || states.out.contains(",running,"), states.out.constData());
    }

    void callsAreRecordedByLttng()
    {
        const Workplace place;
        const QByteArray source = "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nint main(void) { return f(10) != 55; }\n";
        if (QStandardPaths::findExecutable("lttng").isEmpty() || !place.compile("callee", source, {"-finstrument-functions"}))
            QSKIP("LTTng or a C compiler is not installed");
        const ProgramResult result = place.record({"calls", "--", place.path("callee")});
        if (result.status != 0)
            QSKIP(("LTTng cannot record here: " + result.err).constData());
        const ProgramResult calls = place.heliograph({"latency", place.path("r.heliotrace"), "--of", "call", "--format", "csv", "--quiet"});
        QVERIFY2(calls.out.contains("\nf,callee,177,"), calls.out.constData());
        QVERIFY(!runTool("lttng", {"list"}, plainEnvironment()).out.contains("heliograph-"));
    }

    void killsAtAnyMomentLeaveNothingEnabled()
    {
        if (!perfRecordsTracepoints())
            QSKIP("perf cannot record tracepoints here");
        for (int round = 0; round < 6; ++round) {
            const Workplace place;
            QProcess process;
            process.setProcessEnvironment(place.environment());
            process.start(
                HELIOGRAPH_PROGRAM,
                {"record", "sched", "--tool", round % 2 == 0 ? "perf" : "tracefs", "--no-open", "-o", place.path("r.heliotrace")});
            QVERIFY(process.waitForStarted());
            QTest::qWait(100 + 250 * round);
            const qint64 id = process.processId();
            process.kill();
            process.waitForFinished();
            QTRY_VERIFY2_WITH_TIMEOUT(!isLeft(place, id), qPrintable(QString("round %1").arg(round)), 15'000);
        }
    }

    /// Property: the script also ends the recording if Heliograph is gone when the script answers it.
    void killsDuringAnAnswerLeaveNothingEnabled()
    {
        if (!perfRecordsTracepoints())
            QSKIP("perf cannot record tracepoints here");
        const Workplace place;
        const QString asked = place.path("asked");
        test::writeFile(place.path("du"), "#!/bin/sh\n: >" + asked.toUtf8() + "\nsleep 1\necho 4\n"); // Answers late.
        QFile::setPermissions(place.path("du"), QFile::ReadOwner | QFile::ExeOwner);
        QProcess process;
        process.setProcessEnvironment(place.environment());
        process.start(HELIOGRAPH_PROGRAM, {"record", "sched", "--tool", "tracefs", "--no-open", "-o", place.path("r.heliotrace")});
        QVERIFY(process.waitForStarted());
        const qint64 id = process.processId();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(asked), 15'000);
        process.kill();
        process.waitForFinished();
        QTRY_VERIFY_WITH_TIMEOUT(!isLeft(place, id), 15'000);
    }

    void machinesAreRecordedOverSsh()
    {
        if (!perfRecords({"-a"}) || ::getuid() != 0)
            QSKIP("perf cannot record all processes here, or this is not root's machine");
        const Workplace place;
        const SshServer server(place.path(), {"alpha", "beta"});
        if (!server.runs())
            QSKIP("sshd is not installed, or does not run here");
        const ProgramResult result = place.record({"cpu", "--host", "alpha", "--host", "beta", "--for", "1s"});
        const ProgramResult unknown = place.heliograph({"record", "cpu", "--host", "no-such-host.invalid", "--for", "1s", "--no-open"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonArray machines = place.description()["machines"].toArray();
        QCOMPARE(machines.size(), 2);
        for (const QJsonValue machine : machines)
            QVERIFY(QFile::exists(place.path("r.heliotrace/" + machine["recording"].toString())));
        QVERIFY(!QDir(place.path("r.heliotrace/symbols")).isEmpty());
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.err.contains("no-such-host.invalid: cannot be reached with ssh"), unknown.err.constData());
    }
};

HELIO_TEST(RecordOutputTest)
#include "tst_record_output.moc"
