// Compares the kernel analysis of recorded traces with reference numbers that other tools computed from the same traces.

#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"
#include "thread_times.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;
using helio::test::describe;
using helio::test::KernelRun;
using helio::test::offCpu;
using helio::test::OffCpu;
using helio::test::referenceTimes;
using helio::test::runKernel;
using helio::test::Times;
using helio::test::timesOf;

namespace {

Duration timeOnCpu(const KernelRun& run, std::size_t row)
{
    Duration total{};
    for (const HostInterval& interval : run.intervals(row))
        total += test::isOnCpu(run.state(row, interval)) ? interval.range.duration() : Duration{};
    return total;
}

QString fixed(Duration duration, double unit, int digits)
{
    return QString::number(static_cast<double>(duration.count()) / unit, 'f', digits);
}

} // namespace

class KernelRealTest : public QObject {
    Q_OBJECT
private slots:
    void runningTimesAndSwitchInsEqualTheReference_data()
    {
        QTest::addColumn<QString>("session");
        for (const char* session : {"plain", "ctx", "split", "login", "workers"})
            QTest::newRow(session) << session;
    }
    void runningTimesAndSwitchInsEqualTheReference()
    {
        QFETCH(QString, session);
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", session);
        Times expected = referenceTimes(realTrace("lttng-kernel", session + ".stats.txt"));
        QVERIFY(!expected.empty());
        std::erase_if(expected, [](const auto& entry) { return entry.second.first == 0; });
        QCOMPARE(describe(timesOf(runKernel(path))), describe(expected));
    }

    void theBigTracesRunningTimesEqualTheReference()
    {
        HELIO_REQUIRE_TRACE(path, "big-kernel");
        const QString folder = qEnvironmentVariable("HELIOGRAPH_TRACES", SOURCE_DIR "/../shared/traces");
        Times expected = referenceTimes(folder + "/big-kernel/big.stats.txt");
        if (expected.empty())
            QSKIP("big.stats.txt is not there");
        std::erase_if(expected, [](const auto& entry) { return entry.second.first == 0; });
        QTemporaryDir place;
        auto builder = makeFileStoreBuilder(place.filePath("big").toStdString(), "big", HostTimestamp());
        QCOMPARE(describe(timesOf(runKernel(path, std::move(builder)))), describe(expected));
    }

    void aThreadIsOnACpuExactlyWhileTheCpuHasIt_data() { runningTimesAndSwitchInsEqualTheReference_data(); }
    void aThreadIsOnACpuExactlyWhileTheCpuHasIt()
    {
        QFETCH(QString, session);
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", session);
        const KernelRun run = runKernel(path);
        std::map<std::size_t, Duration> byCpus;
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            if (run.track(i).kind != "cpu-thread")
                continue;
            for (const HostInterval& interval : run.intervals(i)) {
                if (run.state(i, interval) == "running")
                    byCpus[interval.value] += interval.range.duration();
            }
        }
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            if (run.track(i).kind == "thread")
                QCOMPARE(timeOnCpu(run, i), byCpus[i]);
        }
    }

    void rowsOfCpusCoverTheWholeTraceAndIntervalsTouch()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "plain");
        const KernelRun run = runKernel(path);
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            const auto intervals = run.intervals(i);
            for (std::size_t n = 1; n < intervals.size(); ++n)
                QCOMPARE(nanoseconds(intervals[n].range.begin), nanoseconds(intervals[n - 1].range.end));
            if (run.track(i).kind == "cpu")
                QVERIFY(run.track(i).life == run.range);
        }
    }

    void systemCallsInThreadsAreAsManyAsTheirEntries_data()
    {
        QTest::addColumn<QString>("session");
        for (const char* session : {"plain", "login", "workers"})
            QTest::newRow(session) << session;
    }
    void systemCallsInThreadsAreAsManyAsTheirEntries()
    {
        QFETCH(QString, session);
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", session);
        const KernelRun run = runKernel(path);
        std::map<std::string, std::uint64_t> calls;
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            if (run.track(i).kind != "thread")
                continue;
            std::string current;
            for (const HostInterval& interval : run.intervals(i)) {
                const std::string& state = run.state(i, interval);
                if (state == "interrupted")
                    continue;
                const std::string call = run.text(interval);
                calls[call] += state == "running-syscall" && call != current ? 1 : 0;
                current = call;
            }
        }
        QVERIFY(run.entries.size() > 20);
        for (const auto& [name, count] : run.entries) {
            // Unnamed calls are not compared: two calls with one name and no state in between are counted as one, and this is frequent for
            // unnamed calls.
            if (name != "unknown")
                QVERIFY2(calls[name] == count, qPrintable(QString("%1: %2 of %3").arg(name.c_str()).arg(calls[name]).arg(count)));
        }
    }

    void theWorkersRanAsLongAsTheSchedulerSays()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "workers");
        const KernelRun run = runKernel(path);
        QStringList times;
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            if (run.track(i).kind == "thread" && run.track(i).label.starts_with("worker-"))
                times += QString::fromStdString(run.track(i).label) + " " + fixed(timeOnCpu(run, i), 1e6, 1);
        }
        times.sort();
        QCOMPARE(times.join(", "), QString("worker-0 147.4, worker-1 233.6, worker-2 344.7, worker-3 392.6"));
    }

    void aVirtualCpusThreadWasPreemptedAndBlockedAsOftenAsMeasured_data()
    {
        QTest::addColumn<QString>("row");
        QTest::addColumn<QString>("expected");
        test::addRow("guest A", "tid:192", "ran 4.526 s; preempted 212 times, 1.922 s, longest 53.751 ms; blocked 173 times");
        test::addRow("guest B", "tid:191", "ran 3.393 s; preempted 109 times, 1.922 s, longest 40.066 ms; blocked 236 times");
    }
    void aVirtualCpusThreadWasPreemptedAndBlockedAsOftenAsMeasured()
    {
        QFETCH(QString, row);
        QFETCH(QString, expected);
        HELIO_REQUIRE_TRACE(path, "host-guest", "host");
        const KernelRun run = runKernel(path);
        const int index = run.find(row.toStdString());
        QVERIFY(index >= 0);
        auto stretches = offCpu(run, static_cast<std::size_t>(index));
        const OffCpu preempted = stretches["preempted"];
        QCOMPARE(QString("ran %1 s; preempted %2 times, %3 s, longest %4 ms; blocked %5 times")
                     .arg(fixed(Duration(timesOf(run)[row.mid(4)].first), 1e9, 3))
                     .arg(preempted.count)
                     .arg(fixed(preempted.total, 1e9, 3), fixed(preempted.longest, 1e6, 3))
                     .arg(stretches["sleeping"].count + stretches["blocked"].count),
                 expected);
    }

    void aLoginShellLivesFromItsExecToItsExitWithItsCommandsBelowIt()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "login");
        const KernelRun run = runKernel(path);
        QStringList lives;
        for (const char* key : {"tid:198", "tid:209", "tid:220"}) {
            const int shell = run.find(key);
            QVERIFY(shell >= 0);
            QStringList commands;
            HostTimestamp exec;
            for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
                if (run.track(i).parent != static_cast<TrackId>(shell))
                    continue;
                if (run.track(i).kind == "thread")
                    commands += QString::fromStdString(run.track(i).label);
                else if (run.track(i).kind == "name")
                    exec = run.intervals(i).back().range.begin;
            }
            HostTimestamp exit = HostTimestamp::max();
            for (const HostInterval& interval : run.intervals(static_cast<std::size_t>(shell))) {
                if (run.state(static_cast<std::size_t>(shell), interval) == "exiting")
                    exit = std::min(exit, interval.range.begin);
            }
            lives += fixed(exit - exec, 1e9, 3);
            QCOMPARE(commands.join(' '), QString("id hostname uname cat wc sleep grep ls date"));
        }
        QCOMPARE(lives.join(' '), QString("0.395 0.606 0.508"));
    }

    void everyGapIsUnknownOnItsCpu()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "lossy");
        const KernelRun run = runKernel(path);
        QVERIFY(run.losses.size() > 50);
        for (const Loss& loss : run.losses) {
            for (const char* suffix : {"", "/thread"}) {
                const int row = run.find("cpu:" + std::to_string(loss.cpu) + suffix);
                QVERIFY(row >= 0);
                for (const HostInterval& interval : run.store->intervals(static_cast<TrackId>(row), loss.range))
                    QCOMPARE(run.state(static_cast<std::size_t>(row), interval), std::string("unknown"));
            }
        }
    }

    void theThreadThatLostItsEventsIsUnknownUntilItIsSeenElsewhere()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "lossy");
        const KernelRun run = runKernel(path);
        int checked = 0;
        for (const Loss& loss : run.losses) {
            const int row = run.find("cpu:" + std::to_string(loss.cpu) + "/thread");
            const auto before = run.store->previousInterval(static_cast<TrackId>(row), loss.range.begin);
            if (before.empty() || before[0].range.end != loss.range.begin
                || run.state(static_cast<std::size_t>(row), before[0]) != "running")
                continue;
            const auto after = run.store->intervalAt(static_cast<TrackId>(before[0].value), loss.range.begin);
            QCOMPARE(after.size(), std::size_t(1));
            QCOMPARE(run.state(before[0].value, after[0]), std::string("unknown"));
            ++checked;
        }
        QVERIFY(checked > 10);
    }

    void oldTracesAreReadToo_data()
    {
        QTest::addColumn<QString>("trace");
        for (const char* trace : {"flipping-endianness", "bug446190", "uneven-streams"})
            QTest::newRow(trace) << trace;
    }
    void oldTracesAreReadToo()
    {
        QFETCH(QString, trace);
        HELIO_REQUIRE_TRACE(path, "public", trace);
        const KernelRun run = runKernel(path);
        QVERIFY(run.store);
        std::map<std::string, int> states;
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            for (const HostInterval& interval : run.intervals(i))
                states[run.track(i).kind + ' ' + run.state(i, interval)] += run.track(i).view.empty() ? 0 : 1;
        }
        // Preempted threads are recognized although kernels before 4.14 record their state as 1024 or 4096.
        QVERIFY(states["thread preempted"] > 30);
        QVERIFY(states["thread sleeping"] > 100);
        QVERIFY(states["thread wait-cpu"] > 5);
        QVERIFY(states["cpu idle"] > 100);
        QCOMPARE(states["thread running-syscall"] > 100, trace != "flipping-endianness");
    }
};

HELIO_TEST(KernelRealTest)
#include "tst_kernel_real.moc"
