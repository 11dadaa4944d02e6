// The recipes of the guide's page fleet.md for GNU parallel and for job arrays of Slurm, run with the real programs on this machine.
// Slurm's daemons are started for the test alone, with their state and their configuration in a temporary folder.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <array>
#include <sys/socket.h>
#include <unistd.h>

using namespace helio;

namespace {

/// Returns the shell commands in the section of fleet.md with a heading: its first block of code.
QByteArray recipe(const QByteArray& heading)
{
    QFile page(SOURCE_DIR "/resources/guide/fleet.md");
    const QByteArray text = page.open(QIODevice::ReadOnly) ? page.readAll() : QByteArray();
    const qsizetype section = text.indexOf("\n### " + heading + '\n');
    const qsizetype begin = section < 0 ? -1 : text.indexOf("```sh\n", section);
    const qsizetype end = begin < 0 ? -1 : text.indexOf("\n```\n", begin);
    return end < 0 ? QByteArray() : text.mid(begin + 6, end - begin - 5);
}

/// A folder with the traces and the list of the recipes. One of the listed traces does not exist.
class Workplace {
public:
    Workplace()
    {
        test::writeFile(path("traces.txt"),
                        (sampleTrace() + '\n' + SOURCE_DIR "/tests/fixtures/kernel-small\n" + path("missing") + '\n'
                         + SOURCE_DIR "/tests/fixtures/lossy-small\n")
                            .toUtf8());
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }
    QProcessEnvironment environment() const
    {
        auto environment = plainEnvironment();
        environment.insert("PATH", QFileInfo(HELIOGRAPH_PROGRAM).path() + ':' + environment.value("PATH"));
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"})
            environment.insert(place, path("home"));
        return environment;
    }
    /// Runs shell commands in the folder.
    ProgramResult run(const QByteArray& commands, const QProcessEnvironment& environment) const
    {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        process.start("sh", {"-c", QString::fromUtf8(commands)});
        if (!process.waitForFinished(180'000))
            return {};
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }
    QList<QByteArray> rows(const QString& query) const
    {
        return heliograph({"fleet", "sql", path("fleet.db"), query, "--format", "csv"}).lines().mid(1);
    }

    /// Checks that the catalogue has the traces of the list, and the reason why one of them could not be read.
    void checkCatalogue() const
    {
        QCOMPARE(rows("SELECT count(*), count(identity), count(DISTINCT identity) FROM trace"), (QList<QByteArray>{"4,3,3"}));
        QCOMPARE(rows("SELECT path, error FROM trace WHERE identity IS NULL"),
                 (QList<QByteArray>{path("missing").toUtf8() + ",no such file or folder"}));
        for (const QByteArray& row : rows("SELECT events, path FROM trace WHERE identity IS NOT NULL")) {
            const auto cells = csvCells(row);
            QCOMPARE(heliograph({"events", QString::fromUtf8(cells[1]), "--count"}).out.trimmed(), cells[0]);
        }
    }

private:
    QTemporaryDir m_folder;
};

int freePort()
{
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool isBound = bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) == 0
        && getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    close(descriptor);
    return isBound ? ntohs(address.sin_port) : -1;
}

/// Slurm's controller and a node with two CPUs, on this machine alone. The destructor ends them.
class PrivateSlurm {
public:
    explicit PrivateSlurm(const Workplace& place)
        : m_environment(place.environment())
    {
        std::array<char, 256> host{};
        gethostname(host.data(), host.size() - 1);
        const QByteArray name = QByteArray(host.data()).split('.').first(), folder = place.path("slurm").toUtf8();
        for (const char* below : {"state", "spool"})
            QDir().mkpath(place.path("slurm/") + below);
        const QByteArray configuration = "ClusterName=test\nSlurmctldHost=" + name + "(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n"
            + "AuthType=auth/none\nCredType=cred/none\nSlurmctldPort=" + QByteArray::number(freePort())
            + "\nSlurmdPort=" + QByteArray::number(freePort()) + "\nStateSaveLocation=" + folder + "/state\nSlurmdSpoolDir=" + folder
            + "/spool\nSlurmctldPidFile=" + folder + "/controller.pid\nSlurmdPidFile=" + folder + "/node.pid\nSlurmctldLogFile=" + folder
            + "/controller.log\nSlurmdLogFile=" + folder + "/node.log\nProctrackType=proctrack/pgid\nTaskPlugin=task/none\n"
            + "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSchedulerType=sched/builtin\nSwitchType=switch/none\n"
            + "MpiDefault=none\nReturnToService=2\nNodeName=" + name + " NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n"
            + "PartitionName=all Nodes=ALL Default=YES State=UP\n";
        const QString file = test::writeFile(place.path("slurm/slurm.conf"), configuration);
        m_environment.insert("SLURM_CONF", file);
        for (const auto& [daemon, program] : {std::pair(&m_controller, "slurmctld"), std::pair(&m_node, "slurmd")}) {
            daemon->setProcessEnvironment(m_environment);
            daemon->setProcessChannelMode(QProcess::MergedChannels);
            daemon->start(program, {"-D", "-f", file});
        }
    }
    ~PrivateSlurm()
    {
        for (QProcess* const daemon : {&m_node, &m_controller}) {
            daemon->terminate();
            if (!daemon->waitForFinished(20'000))
                daemon->kill();
        }
    }

    const QProcessEnvironment& environment() const { return m_environment; }
    /// Waits until the node accepts jobs. Returns false if it does not.
    bool waitUntilReady(const Workplace& place) const
    {
        for (int attempt = 0; attempt < 60; ++attempt) {
            if (place.run("sinfo --noheader --format=%t", m_environment).out.startsWith("idle"))
                return true;
            QTest::qSleep(500);
        }
        return false;
    }
    QByteArray output() { return m_controller.readAll() + m_node.readAll(); }

private:
    QProcessEnvironment m_environment;
    QProcess m_controller;
    QProcess m_node;
};

} // namespace

class JobArraysTest : public QObject {
    Q_OBJECT

private slots:
    void parallelIndexesAndResumes()
    {
        if (QStandardPaths::findExecutable("parallel").isEmpty())
            QSKIP("GNU parallel is not installed: apt-get install parallel");
        const Workplace place;
        const QByteArray commands = recipe("GNU parallel");
        QVERIFY(commands.contains("parallel ") && commands.contains("heliograph fleet add"));
        const ProgramResult run = place.run(commands, place.environment());
        QVERIFY2(run.err.contains("missing: no such file or folder"), run.err.constData());
        place.checkCatalogue();
        // The second time, only the job that failed runs again.
        QCOMPARE(QProcess::execute("cp", {"-r", SOURCE_DIR "/tests/fixtures/containers-small", place.path("missing")}), 0);
        const ProgramResult again = place.run(commands, place.environment());
        QCOMPARE(again.status, 0);
        QCOMPARE(place.rows("SELECT count(*) - count(identity), count(error) FROM trace"), (QList<QByteArray>{"0,0"}));
        QVERIFY(!place.rows("SELECT identity FROM trace WHERE path LIKE '%/missing/%'").isEmpty());
        QFile lines(place.path("traces.jsonl"));
        QVERIFY(lines.open(QIODevice::ReadOnly));
        QCOMPARE(lines.readAll().count("lossy-small"), 1);
    }

    void parallelAsksAllTraces()
    {
        if (QStandardPaths::findExecutable("parallel").isEmpty())
            QSKIP("GNU parallel is not installed: apt-get install parallel");
        const Workplace place;
        test::writeFile(place.path("query.sql"), "SELECT count(*) AS n FROM event");
        const ProgramResult run = place.run(recipe("A query with GNU parallel"), place.environment());
        for (const QString& trace : {sampleTrace(), QStringLiteral(SOURCE_DIR "/tests/fixtures/lossy-small")}) {
            const QByteArray count = heliograph({"events", trace, "--count", "--quiet"}).out.trimmed();
            const QByteArray line = trace.toUtf8() + "\t{\"n\":" + count + '}';
            QVERIFY2(run.lines().contains(line), run.out.constData());
        }
    }

    void slurmIndexesAJobArray()
    {
        if (QStandardPaths::findExecutable("slurmctld").isEmpty() || QStandardPaths::findExecutable("slurmd").isEmpty()
            || QStandardPaths::findExecutable("sbatch").isEmpty())
            QSKIP("Slurm is not installed: apt-get install slurm-wlm");
        if (geteuid() != 0)
            QSKIP("Slurm's daemons need root to start jobs");
        const Workplace place;
        PrivateSlurm slurm(place);
        QVERIFY2(slurm.waitUntilReady(place), slurm.output().constData());
        test::writeFile(place.path("index.sbatch"), recipe("The job of a Slurm array"));
        const QByteArray commands = recipe("A Slurm array");
        QVERIFY(commands.contains("sbatch "));
        const ProgramResult run = place.run(commands, slurm.environment());
        QVERIFY2(run.out.contains("Submitted batch job"), (run.out + run.err + slurm.output()).constData());
        place.checkCatalogue();
        // The log of the task that failed has the reason.
        QFile log(place.path("index-3.log"));
        QVERIFY(log.open(QIODevice::ReadOnly));
        QCOMPARE(log.readAll(), "heliograph: " + place.path("missing").toUtf8() + ": no such file or folder\n");
        QCOMPARE(place.rows("SELECT count(DISTINCT value) FROM tag WHERE name = 'job'"), (QList<QByteArray>{"1"}));
    }
};

HELIO_TEST(JobArraysTest)
#include "tst_job_arrays.moc"
