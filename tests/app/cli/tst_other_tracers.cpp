// Property: states, latencies and calls follow from the recordings of other tracers as they do from LTTng's.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace helio;

namespace {

/// Time in ns that each thread ran, by TID, and how often each was switched in; computed from the context switches of an ftrace text.
struct Runs {
    std::map<int, qint64> times;
    std::map<int, int> switches;
};
Runs runsIn(const QByteArray& text)
{
    static const QRegularExpression line(R"re(\[(\d+)\].* (\d+)\.(\d{6}): sched_switch: .*prev_pid=(\d+) .*next_pid=(\d+))re");
    Runs runs;
    std::map<int, std::pair<int, qint64>> current; // Thread on each CPU, and the time at which it got the CPU.
    for (const QByteArray& it : text.split('\n')) {
        const auto match = line.match(QString::fromUtf8(it));
        if (!match.hasMatch())
            continue;
        const int cpu = match.captured(1).toInt();
        const qint64 time = match.captured(2).toLongLong() * 1'000'000'000 + match.captured(3).toLongLong() * 1000;
        if (const auto known = current.find(cpu); known != current.end() && known->second.first == match.captured(4).toInt())
            runs.times[known->second.first] += time - known->second.second;
        const int next = match.captured(5).toInt();
        current[cpu] = {next, time};
        ++runs.switches[next];
    }
    return runs;
}

} // namespace

class OtherTracersTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private slots:
    /// Input: a log of strace. Property: threads are in system calls and between them, from the times of the lines.
    void systemCallsOfStraceAreStates()
    {
        const QString log = test::writeFile(m_folder.filePath("log.strace"),
                                            "5 1700000000.000000 execve(\"/bin/prog\", [\"x\"], 0x1 /* 3 vars */) = 0 <0.100000>\n"
                                            "5 1700000000.200000 read(0,  <unfinished ...>\n"
                                            "6 1700000000.250000 write(1, \"x\", 1) = 1 <0.050000>\n"
                                            "5 1700000000.500000 <... read resumed>\"abc\", 3) = 3 <0.300000>\n"
                                            "5 1700000000.700000 close(0) = 0 <0.100000>\n");

        const ProgramResult states = heliograph({"states", log, "--view", "control-flow", "--thread", "5", "--format", "csv"});

        QCOMPARE(states.status, 0);
        const auto header = csvCells(states.lines().front());
        QByteArrayList found;
        for (const QByteArray& line : states.lines().mid(1)) {
            const auto cells = csvCells(line);
            const auto since = [&](const char* column) {
                return QByteArray::number(cells[header.indexOf(column)].toLongLong() - 1'700'000'000'000'000'000);
            };
            found << since("begin_ns") + ' ' + since("end_ns") + ' ' + cells[header.indexOf("state")];
        }
        const auto contains = [&](const QByteArray& begin, const QByteArray& state) {
            return std::ranges::any_of(found, [&](const QByteArray& it) { return it.startsWith(begin + ' ') && it.contains(state); });
        };
        QVERIFY2(contains("200000000 500000000", "in-syscall"), found.join('\n').constData());
        QVERIFY2(contains("500000000 700000000", "between-syscalls"), found.join('\n').constData());
        QVERIFY2(contains("700000000 800000000", "in-syscall"), found.join('\n').constData());
    }

    /// Property: the durations of system calls in a log are the latencies of its calls.
    void systemCallsOfStraceHaveLatencies()
    {
        HELIO_REQUIRE_TRACE(path, "ltrace", "login.strace-f-ttt-T.txt");
        const ProgramResult list = heliograph({"latency", path, "--of", "syscall", "--list", "--format", "csv"});
        QCOMPARE(list.status, 0);
        qint64 total = 0;
        const auto lines = list.lines().mid(1);
        for (const QByteArray& line : lines) {
            const auto cells = csvCells(line);
            total += cells[1].toLongLong() - cells[0].toLongLong();
        }
        QFile text(path);
        QVERIFY(text.open(QIODevice::ReadOnly));
        static const QRegularExpression duration(R"re(<(\d+)\.(\d{6})>$)re");
        qint64 expected = 0;
        int count = 0;
        for (const QByteArray& line : text.readAll().split('\n')) {
            const auto match = duration.match(QString::fromUtf8(line));
            if (!match.hasMatch())
                continue;
            ++count;
            expected += match.captured(1).toLongLong() * 1'000'000'000 + match.captured(2).toLongLong() * 1000;
        }
        QCOMPARE(int(lines.size()), count);
        QCOMPARE(total, expected);
    }

    void runningTimesAreThoseOfTheSwitches_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::newRow("vm") << "ftrace-vm";
        QTest::newRow("host") << "ftrace-host";
    }
    /// Input: a copy of the kernel's trace. Property: running times of threads equal sums over its context switches.
    void runningTimesAreThoseOfTheSwitches()
    {
        QFETCH(QString, collection);
        HELIO_REQUIRE_TRACE(path, collection, "systrace-like.txt");
        QFile text(path);
        QVERIFY(text.open(QIODevice::ReadOnly));
        const Runs expected = runsIn(text.readAll());

        const ProgramResult stats = heliograph({"stats", path, "--view", "control-flow", "--format", "csv"});

        QCOMPARE(stats.status, 0);
        const auto header = csvCells(stats.lines().front());
        const auto column = [&](const char* name) { return header.indexOf(name); };
        QVERIFY(column("tid") >= 0 && column("state") >= 0 && column("total_ns") >= 0);
        std::map<int, qint64> running;
        for (const QByteArray& line : stats.lines().mid(1)) {
            const auto cells = csvCells(line);
            if (cells[column("state")].startsWith("running") || cells[column("state")] == "interrupted")
                running[cells[column("tid")].toInt()] += cells[column("total_ns")].toLongLong();
        }
        int compared = 0;
        for (const auto& [tid, time] : expected.times) {
            // A thread that has the CPU at the beginning or end of the trace also runs outside of its switches.
            if (tid == 0 || !running.contains(tid))
                continue;
            QVERIFY2(running[tid] >= time, qPrintable(QString("%1: %2 and %3").arg(tid).arg(running[tid]).arg(time)));
            compared += running[tid] == time;
        }
        QVERIFY(compared > int(expected.times.size()) * 3 / 4);
    }

    /// Property: a binary recording and what trace-cmd prints of it give the same states, but for the rounding of the printed times.
    void binaryAndTextHaveTheSameStates()
    {
        HELIO_REQUIRE_TRACE(binary, "ftrace-vm", "trace-v7z.dat");
        const QString packed = realTrace("ftrace-vm", "trace-v7z.report.txt.zst");
        QVERIFY(!packed.isEmpty());
        struct Times {
            int count = 0;
            qint64 total = 0; // In ns.
        };
        std::array<std::map<QByteArray, Times>, 2> times;
        for (std::size_t i = 0; i < 2; ++i) {
            const ProgramResult stats = heliograph({"stats", i == 0 ? binary : packed, "--view", "control-flow", "--format", "csv"});
            QCOMPARE(stats.status, 0);
            const auto header = csvCells(stats.lines().front());
            for (const QByteArray& line : stats.lines().mid(1)) {
                const auto cells = csvCells(line);
                // trace-cmd prints no flag for preempted threads.
                const QByteArray state = cells[header.indexOf("state")] == "preempted" ? "wait-cpu" : cells[header.indexOf("state")];
                Times& own = times[i][cells[header.indexOf("tid")] + ' ' + state];
                own.count += cells[header.indexOf("count")].toInt();
                own.total += cells[header.indexOf("total_ns")].toLongLong();
            }
        }
        QVERIFY(times[0].size() > 50);
        for (const auto& [key, own] : times[0]) {
            const Times& other = times[1][key];
            // Each end of a state is rounded by up to 0.5 us; states shorter than that vanish in the text.
            const qint64 tolerance = 1'500 * std::max(own.count, other.count) + 1'500;
            QVERIFY2(std::abs(own.total - other.total) <= tolerance,
                     qPrintable(QString("%1: %2 ns in %3, %4 ns in %5")
                                    .arg(QString::fromUtf8(key))
                                    .arg(own.total)
                                    .arg(own.count)
                                    .arg(other.total)
                                    .arg(other.count)));
        }
    }

    /// Property: slices of Chrome are calls, and calls of libraries in a log of ltrace, too.
    void slicesAndLibraryCallsAreCalls_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("Chrome") << sharedFile("formats/chrome-json/x_event_trace.json") << QByteArray("Scheduler::OnBeginFrameDeadline");
        QTest::newRow("ltrace") << realTrace("ltrace", "ltr.ltrace-ttT-f.txt") << QByteArray("strcmp");
    }
    void slicesAndLibraryCallsAreCalls()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, name);
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        const ProgramResult list = heliograph({"latency", path, "--of", "call", "--list", "--format", "csv"});
        QCOMPARE(list.status, 0);
        QVERIFY(std::ranges::count_if(list.lines(), [&](const QByteArray& line) { return line.contains(name); }) > 3);
    }
};

HELIO_TEST(OtherTracersTest)
#include "tst_other_tracers.moc"
