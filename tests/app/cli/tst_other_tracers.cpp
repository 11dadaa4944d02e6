// Property: states, latencies and calls follow from the recordings of other tracers as they do from LTTng's.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cmath>
#include <map>
#include <vector>

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

/// Sums of durations in ns, computed from the rows of a KUtrace file without Heliograph's reader.
struct SpanTimes {
    std::map<int, qint64> cpus; ///< Time in ns during which each CPU was not idle, keyed by the CPU's number.
    std::map<int, qint64> threads; ///< Time that each thread had a CPU, without interrupts; keyed by TID.
    /// Time on a CPU in each system call, without interrupts and page faults; keyed by the call's name.
    std::map<QByteArray, qint64> calls;
};
SpanTimes spanTimesIn(const QString& path)
{
    struct Span {
        qint64 begin = 0;
        int cpu = 0;
        int tid = 0;
        int event = 0;
        QByteArray name;
    };
    constexpr int Scheduler = 0x9ff;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read");
    std::map<int, std::vector<Span>> spans; // Spans of each CPU, keyed by CPU. A last, empty span marks the end of the CPU's spans.
    std::map<int, qint64> ends;
    for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).object()["events"].toArray()) {
        const QJsonArray row = value.toArray();
        const int cpu = row[2].toInt();
        const int event = row[5].toInt();
        if (cpu < 0 || event < 0x400)
            continue;
        const auto begin = qint64(std::llround(row[0].toDouble() * 1e9));
        spans[cpu].push_back({begin, cpu, row[3].toInt(), event, row[9].toString().toUtf8()});
        ends[cpu] = begin + qint64(std::llround(row[1].toDouble() * 1e9));
    }
    SpanTimes times;
    std::map<int, QByteArray> callOf; // Current system call of each thread, keyed by TID.
    for (auto& [cpu, own] : spans) {
        std::ranges::stable_sort(own, {}, &Span::begin);
        own.push_back({ends[cpu], cpu, 0, 0, {}});
        for (std::size_t i = 0; i + 1 < own.size(); ++i) {
            const Span& span = own[i];
            const qint64 time = own[i + 1].begin - span.begin; // Begin to begin, because KUtrace leaves gaps of 10 ns at point events.
            const bool isInterrupt = span.event >= 0x500 && span.event < 0x600;
            const bool isCall = span.event >= 0x800 && span.event < 0x1000 && span.event != Scheduler;
            if (span.tid > 0 || isInterrupt)
                times.cpus[cpu] += time;
            if (span.tid == 0 || isInterrupt)
                continue;
            times.threads[span.tid] += time;
            if (isCall)
                callOf[span.tid] = span.name;
            else if (span.event >= 0x10000)
                callOf.erase(span.tid);
            if (const auto call = callOf.find(span.tid); call != callOf.end() && (isCall || span.event == Scheduler))
                times.calls[call->second] += time;
        }
    }
    return times;
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

    /// Input: a log of strace. Property: the states distinguish calls that waited, calls that did not wait, and calls that failed. A
    /// critical path leads through the threads that ended the waits.
    void waitsOfStraceHaveKindsAndWakers()
    {
        const QString log = test::writeFile(
            m_folder.filePath("waits.strace"),
            "5 1700000000.000000 execve(\"/bin/prog\", [\"x\"], 0x1 /* 3 vars */) = 0 <0.001000>\n"
            "5 1700000000.010000 clone(child_stack=0x1, flags=CLONE_VM|CLONE_THREAD) = 6 <0.000100>\n"
            "6 1700000000.020000 futex(0x10, FUTEX_WAIT_PRIVATE, 2, NULL <unfinished ...>\n"
            "5 1700000000.030000 nanosleep({tv_sec=0, tv_nsec=20000000}, NULL) = 0 <0.020000>\n"
            "5 1700000000.060000 futex(0x10, FUTEX_WAKE_PRIVATE, 1) = 1 <0.000010>\n"
            "6 1700000000.061000 <... futex resumed>) = 0 <0.041000>\n"
            "6 1700000000.070000 read(3<pipe:[77]>,  <unfinished ...>\n"
            "5 1700000000.080000 write(4<pipe:[77]>, \"x\", 1) = 1 <0.000010>\n"
            "6 1700000000.081000 <... read resumed>\"x\", 8) = 1 <0.011000>\n"
            "6 1700000000.090000 read(5</etc/passwd>, \"x\", 8) = 1 <0.001000>\n"
            "6 1700000000.100000 openat(AT_FDCWD, \"/nope\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.001000>\n"
            "6 1700000000.110000 poll([{fd=3<pipe:[77]>, events=POLLIN}], 1, 10) = 0 (Timeout) <0.010000>\n"
            "6 1700000000.125000 poll([{fd=5</etc/passwd>, events=POLLPRI}, {fd=3<UNIX-STREAM:[8->9]>, events=POLLIN}], 2, -1) = 1 "
            "([{fd=3}]) <0.002000>\n"
            "5 1700000000.126000 sendto(7<UNIX-STREAM:[9->8]>, \"x\", 1, 0, NULL, 0) = 1 <0.000010>\n"
            "6 1700000000.130000 futex(0x10, FUTEX_WAIT_PRIVATE, 2, NULL) = -1 EAGAIN (Resource temporarily unavailable) <0.001000>\n"
            "5 1700000000.140000 fork() = 9 <0.001000>\n"
            "5 1700000000.150000 wait4(9,  <unfinished ...>\n"
            "9 1700000000.160000 exit_group(3) = ?\n9 1700000000.160100 +++ exited with 3 +++\n"
            "5 1700000000.161000 <... wait4 resumed>NULL, 0, NULL) = 9 <0.011000>\n"
            "6 1700000000.170000 kill(5, SIGUSR1 <unfinished ...>\n"
            "6 1700000000.171000 <... kill resumed>) = 0 <0.001000>\n"
            "6 1700000000.180000 fsync(5</etc/passwd>) = 0 <0.010000>\n");

        const ProgramResult states = heliograph({"states", log, "--view", "control-flow", "--format", "csv"});

        QCOMPARE(states.status, 0);
        const auto header = csvCells(states.lines().front());
        QByteArrayList found;
        for (const QByteArray& line : states.lines().mid(1)) {
            const auto cells = csvCells(line);
            const QByteArray state = cells[header.indexOf("state")];
            if (state == "waiting-in-syscall" || state == "failed-syscall")
                found << cells[header.indexOf("tid")] + ' '
                        + QByteArray::number((cells[header.indexOf("begin_ns")].toLongLong() - 1'700'000'000'000'000'000) / 1'000'000) + ' '
                        + state + ' ' + cells.back();
        }
        std::ranges::sort(found);
        QCOMPARE(found,
                 QByteArrayList({"5 150 waiting-in-syscall wait4", "5 30 waiting-in-syscall nanosleep", "6 100 failed-syscall openat",
                                 "6 110 waiting-in-syscall poll", "6 125 waiting-in-syscall poll", "6 130 failed-syscall futex",
                                 "6 180 waiting-in-syscall fsync", "6 20 waiting-in-syscall futex", "6 70 waiting-in-syscall read"}));
        const auto pathOf = [&](const char* tid) {
            const ProgramResult path = heliograph({"critical-path", log, "--thread", tid, "--format", "csv"});
            const auto columns = csvCells(path.lines().front());
            QByteArrayList segments;
            for (const QByteArray& line : path.lines().mid(1)) {
                const auto cells = csvCells(line);
                if (cells[columns.indexOf("kind")] != "unknown")
                    segments << cells[columns.indexOf("tid")] + ' ' + cells[columns.indexOf("kind")] + ' '
                            + cells[columns.indexOf("detail")];
            }
            return segments;
        };
        QCOMPARE(pathOf("6"),
                 QByteArrayList({"5 timer nanosleep, on or off CPU", "6 lock futex, held by prog (5) in futex",
                                 "6 pipe read, data or space from prog (5) in write", "6 pipe poll, on or off CPU",
                                 "6 pipe poll, data or space from prog (5) in sendto", "6 disk fsync, on or off CPU"}));
        QCOMPARE(pathOf("5"), QByteArrayList({"5 timer nanosleep, on or off CPU", "5 process wait4, ended by prog (9) in exit_group"}));
    }

    /// Property: the last call of a log has its full duration, even if its return is the last event.
    void lastCallOfALogIsComplete()
    {
        const QString log = test::writeFile(m_folder.filePath("last.strace"),
                                            "5 1700000000.000000 getpid() = 5 <0.100000>\n5 1700000000.200000 close(0) = 0 <0.300000>\n");
        const ProgramResult list = heliograph({"latency", log, "--of", "syscall", "--list", "--format", "csv"});
        QCOMPARE(list.status, 0);
        QCOMPARE(list.lines().size(), 3);
        QCOMPARE(csvCells(list.lines().back())[1].toLongLong(), 1'700'000'000'500'000'000);
    }

    /// Property: listed calls of a log have their arguments, also those that are printed in two parts, and wake-ups have no CPU.
    void callsOfStraceAreListedWithTheirArguments()
    {
        const QString log = test::writeFile(m_folder.filePath("arguments.strace"),
                                            "5 1700000000.000000 execve(\"/bin/prog\", [\"x\"], 0x1 /* 3 vars */) = 0 <0.000100>\n"
                                            "5 1700000000.001000 fork() = 9 <0.000100>\n"
                                            "5 1700000000.002000 wait4(9,  <unfinished ...>\n"
                                            "9 1700000000.003000 openat(AT_FDCWD, \"/a;b\", O_RDONLY) = 3 <0.000000>\n"
                                            "9 1700000000.003000 close(3) = 0 <0.001000>\n"
                                            "9 1700000000.005000 exit_group(0) = ?\n"
                                            "9 1700000000.006000 +++ exited with 0 +++\n"
                                            "5 1700000000.007000 <... wait4 resumed>NULL, 0, NULL) = 9 <0.005000>\n"
                                            "5 1700000000.008000 mmap(NULL, 8192) = 0x7f00 <0.001000>\n");
        const ProgramResult list = heliograph({"latency", log, "--of", "syscall", "--list", "--format", "csv"});
        QCOMPARE(list.status, 0);
        const auto header = csvCells(list.lines().front());
        QByteArrayList found;
        for (const QByteArray& line : list.lines().mid(1)) {
            const auto cells = csvCells(line);
            found << cells[header.indexOf("name")] + ' ' + cells[header.indexOf("fields")];
        }
        QVERIFY2(found.contains("wait4 args=9,"), found.join('\n').constData());
        QVERIFY2(found.contains("close args=3"), found.join('\n').constData());
        QVERIFY2(found.contains("mmap args=NULL, 8192"), found.join('\n').constData());
        const ProgramResult links = heliograph({"links", log, "--view", "control-flow", "--format", "csv"});
        QCOMPARE(links.status, 0);
        QCOMPARE(links.lines().size(), 2);
        QCOMPARE(csvCells(links.lines().back()).back(), QByteArray());
    }

    /// Input: a log of `ltrace -S`, whose threads have states from system calls. Property: the time of functions on a CPU is empty, because
    /// the log does not tell it.
    void functionsOfLtraceHaveNoCpuTimes()
    {
        const QString log = test::writeFile(m_folder.filePath("cpu.ltrace"),
                                            "5 1700000000.000000 SYS_brk(0) = 0x10 <0.001000>\n"
                                            "5 1700000000.010000 puts(\"x\" <unfinished ...>\n"
                                            "5 1700000000.011000 SYS_write(1, \"x\", 1) = 1 <0.001000>\n"
                                            "5 1700000000.013000 <... puts resumed> ) = 2 <0.003000>\n"
                                            "5 1700000000.020000 SYS_close(1) = 0 <0.001000>\n");
        const ProgramResult sums = heliograph({"latency", log, "--of", "call", "--format", "csv"});
        QCOMPARE(sums.status, 0);
        QCOMPARE(sums.lines().size(), 2);
        const auto header = csvCells(sums.lines().front());
        const auto cells = csvCells(sums.lines().back());
        QCOMPARE(cells[header.indexOf("name")], QByteArray("puts"));
        QCOMPARE(cells[header.indexOf("total_ns")], QByteArray("3000000"));
        QCOMPARE(cells[header.indexOf("cpu_ns")], QByteArray());
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

    /// Input: a recording of KUtrace. Property: the total time in states equals the sum of the spans in the file, for each CPU, thread and
    /// system call.
    void timesOfKutraceAreSumsOfItsSpans()
    {
        const QString path = sharedFile("formats/kutrace/hello_world_cut.json");
        if (path.isEmpty())
            QSKIP("formats/kutrace/hello_world_cut.json is not available");
        const SpanTimes expected = spanTimesIn(path);
        QVERIFY(expected.cpus.size() == 4 && expected.threads.size() > 20 && expected.calls.size() > 10);

        std::map<int, qint64> cpus;
        std::map<int, qint64> threads;
        std::map<QByteArray, qint64> calls;
        for (const char* view : {"resources", "control-flow"}) {
            const ProgramResult states = heliograph({"states", path, "--view", view, "--format", "csv"});
            QCOMPARE(states.status, 0);
            const auto header = csvCells(states.lines().front());
            for (const QByteArray& line : states.lines().mid(1)) {
                const auto cells = csvCells(line);
                const auto cell = [&](const char* column) { return cells[header.indexOf(column)]; };
                const qint64 time = cell("end_ns").toLongLong() - cell("begin_ns").toLongLong();
                const QByteArray state = cell("state");
                const QByteArray row = cell("row");
                if (row.startsWith("cpu:") && !row.contains('/') && state != "unknown" && state != "idle")
                    cpus[row.mid(4).toInt()] += time;
                if (row.startsWith("tid:") && (state.startsWith("running") || state == "page-fault"))
                    threads[row.mid(4).toInt()] += time;
                if (row.startsWith("tid:") && state == "running-syscall")
                    calls[cell("detail")] += time;
            }
        }
        QCOMPARE(cpus, expected.cpus);
        QCOMPARE(threads, expected.threads);
        QCOMPARE(calls, expected.calls);
    }

    void ipcOfKutraceIsAveragedOverItsSpans_data()
    {
        QTest::addColumn<QString>("grouping");
        for (const char* grouping : {"method", "thread", "cpu"})
            QTest::newRow(grouping) << grouping;
    }
    /// Input: a recording of KUtrace. Property: `heliograph ipc` prints the times and averages of instructions per cycle that follow from
    /// the spans in the file.
    void ipcOfKutraceIsAveragedOverItsSpans()
    {
        const QString path = sharedFile("formats/kutrace/hello_world_cut.json");
        if (path.isEmpty())
            QSKIP("formats/kutrace/hello_world_cut.json is not available");
        QFETCH(QString, grouping);
        struct Sum {
            int spans = 0;
            qint64 time = 0; // Total duration of the spans in ns.
            qint64 low = 0; // Total duration of the spans with an IPC below 0.5, in ns.
            double weighted = 0;
            double least = 0;
        };
        constexpr std::array Lowest{0., .125, .25, .375, .5, .625, .75, .875, 1., 1.25, 1.5, 1.75, 2., 2.5, 3., 3.5};
        std::map<QByteArray, Sum> expected;
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).object()["events"].toArray()) {
            const QJsonArray row = value.toArray();
            const int event = row[5].toInt();
            const auto time = qint64(std::llround(row[1].toDouble() * 1e9));
            const bool isIdle = event == 0x10000 || event == 0x20000;
            if (row[2].toInt() < 0 || event < 0x400 || isIdle || time == 0 || (grouping == "thread" && row[3].toInt() == 0))
                continue;
            QByteArray name = row[9].toString().toUtf8();
            if (event > 0x10000)
                name = "user " + name.left(name.lastIndexOf('.'));
            if (grouping != "method")
                name = QByteArray::number(row[grouping == "thread" ? 3 : 2].toInt());
            const auto code = std::size_t(row[8].toInt());
            Sum& sum = expected[name];
            ++sum.spans;
            sum.time += time;
            sum.low += code < 4 ? time : 0;
            sum.least += double(time) * Lowest[code];
            sum.weighted += double(time) * (code == 15 ? 3.75 : (Lowest[code] + Lowest[code + 1]) / 2);
        }
        const ProgramResult result = heliograph({"ipc", path, "--by", grouping, "--format", "csv"});
        QCOMPARE(result.status, 0);
        const auto header = csvCells(result.lines().front());
        QVERIFY(expected.size() > 3);
        QCOMPARE(result.lines().size() - 1, qsizetype(expected.size()));
        for (const QByteArray& line : result.lines().mid(1)) {
            const auto cells = csvCells(line);
            const auto cell = [&](const char* column) { return cells[header.indexOf(column)]; };
            const QByteArray key = grouping == "thread" ? cell("tid") : grouping == "cpu" ? cell("cpu") : cell("name");
            QVERIFY2(expected.contains(key), key.constData());
            const Sum& sum = expected[key];
            QCOMPARE(cell("spans").toInt(), sum.spans);
            QCOMPARE(cell("time_ns").toLongLong(), sum.time);
            QCOMPARE(cell("below_half_ns").toLongLong(), sum.low);
            QCOMPARE(cell("unmeasured_ns").toLongLong(), 0);
            QVERIFY(std::abs(cell("ipc").toDouble() - sum.weighted / double(sum.time)) < 1e-4);
            QVERIFY(std::abs(cell("ipc_at_least").toDouble() - sum.least / double(sum.time)) < 1e-4);
        }
    }

    /// Input: a KUtrace file with a thread that executes two RPCs and waits during the first one. Property: RPCs are requests with
    /// durations and instructions per cycle, waits have reasons, and a lock has an owner.
    void callsWaitsAndLocksOfKutraceAreShown()
    {
        QByteArray rows;
        const auto add = [&](const char* row) { rows += '[' + QByteArray(row).replace('\'', '"') + "],\n"; };
        add("1.00000000, 0.00000100, 0, 7, 0, 65543, 0, 0, 8, 'server.7'");
        add("1.00000100, 0.00000001, 0, 7, 5, 513, 5, 0, 0, 'echo.5'");
        add("1.00000101, 0.00000099, 0, 7, 5, 65543, 0, 0, 0, 'server.7'");
        add("1.00000200, 0.00000100, 0, 7, 5, 2559, 0, 0, 15, '-sched-'");
        add("1.00000300, 0.00000100, 0, 0, 0, 65536, 0, 0, 0, '-idle-'");
        add("1.00000301, 0.00000099, -1, 7, 5, 771, 0, 0, 0, 'wait_disk'");
        add("1.00000400, 0.00000200, 0, 7, 5, 65543, 0, 0, 8, 'server.7'");
        add("1.00000500, 0.00000001, 0, 7, 5, 528, 99, 0, 0, 'try_tree'");
        add("1.00000520, 0.00000001, 0, 7, 5, 529, 99, 0, 0, 'acq_tree'");
        add("1.00000580, 0.00000001, 0, 7, 5, 530, 99, 0, 0, 'rel_tree'");
        add("1.00000600, 0.00000001, 0, 7, 0, 514, 0, 0, 0, '.0'");
        add("1.00000601, 0.00000099, 0, 7, 0, 65543, 0, 0, 4, 'server.7'");
        add("1.00000700, 0.00000001, 0, 7, 6, 513, 4259846, 0, 0, 'sum.4259846'");
        add("1.00000701, 0.00000099, 0, 7, 4259846, 65543, 0, 0, 12, 'server.7'");
        add("1.00000800, 0.00000001, 0, 7, 0, 514, 0, 0, 0, '.0'");
        add("1.00000801, 0.00000099, 0, 7, 0, 65543, 0, 0, 4, 'server.7'");
        const QString path = test::writeFile(m_folder.filePath("rpc.json"),
                                             "{ \"flags\" : 128, \"events\" : [\n" + rows + "[999.0, 0.0, 0, 0, 0, 0, 0, 0, 0, \"\"]]}\n");
        const auto table = [&](const QStringList& arguments) {
            const ProgramResult result =
                heliograph(QStringList{arguments.front(), path} + arguments.mid(1) + QStringList{"--format", "csv"});
            return result.status == 0 ? QByteArrayList(result.lines()) : QByteArrayList{"failed: " + result.err};
        };
        const auto column = [](const QByteArrayList& lines, const char* name) {
            const auto at = csvCells(lines.front()).indexOf(name);
            QByteArrayList cells;
            for (const QByteArray& line : lines.mid(1))
                cells << (at < 0 ? QByteArray("absent") : csvCells(line)[at]);
            return cells;
        };
        const QByteArrayList calls = table({"latency", "--of", "rpc", "--list"});
        QCOMPARE(column(calls, "name"), QByteArrayList({"echo", "sum"}));
        QCOMPARE(column(calls, "begin_ns"), QByteArrayList({"1000001000", "1000007000"}));
        QCOMPARE(column(calls, "end_ns"), QByteArrayList({"1000006000", "1000008000"}));
        const QByteArrayList ipc = table({"ipc", "--by", "rpc"});
        QCOMPARE(column(ipc, "name"), QByteArrayList({"echo", "sum"}));
        QCOMPARE(column(ipc, "time_ns"), QByteArrayList({"3990", "990"}));
        // IPC of "echo": (990 ns * 1/16 + 1000 ns * 3.75 + 2000 ns * 1.125) / 3990 ns. IPC of "sum": the mean of the range that KUtrace's
        // code 12 stands for.
        QCOMPARE(column(ipc, "ipc"), QByteArrayList({"1.5193", "2.2500"}));
        const QByteArrayList waits = table({"states", "--view", "wait-reasons"});
        QCOMPARE(column(waits, "state"), QByteArrayList({"disk"}));
        QCOMPARE(column(waits, "begin_ns"), QByteArrayList({"1000003010"}));
        QCOMPARE(column(waits, "end_ns"), QByteArrayList({"1000004000"}));
        const QByteArrayList paths = table({"critical-path", "--requests", "rpc"});
        QVERIFY2(paths.size() > 1 && paths.join('\n').contains("echo"), paths.join('\n').constData());
        const QByteArrayList locks = table({"states", "--view", "locks"});
        QVERIFY2(column(locks, "state").contains("waits"), locks.join('\n').constData());
        QVERIFY2(column(locks, "state").contains("holds"), locks.join('\n').constData());
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
