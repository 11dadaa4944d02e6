// Compares the kernel analysis of scheduler recordings by perf with the numbers of perf sched.

#include "kernel_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <map>

using namespace helio;
using helio::test::KernelRun;
using helio::test::runKernel;

namespace {

struct Ran {
    Duration time{};
    int intervals = 0;
};

Ran ranOn(const KernelRun& run, const std::string& key)
{
    Ran ran;
    const int row = run.find(key);
    bool isRunning = false;
    for (const HostInterval& interval : row < 0 ? std::vector<HostInterval>() : run.intervals(std::size_t(row))) {
        const bool runs = test::isOnCpu(run.state(std::size_t(row), interval));
        ran.intervals += runs && !isRunning;
        isRunning = runs;
        ran.time += runs ? interval.range.duration() : Duration{};
    }
    return ran;
}

/// Expected running times from the lines of `perf script`, in ns truncated to microseconds. The thread that a line names runs at the line's
/// time. Some switches are missing: if a line names another thread than the thread that had the CPU, the latter left the CPU at the time of
/// the CPU's previous line.
std::map<int, Ran> ranByText(const QString& path)
{
    std::map<int, Ran> ran;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return ran;
    static const QRegularExpression line(R"((\d+) \[(\d+)\]\s+(\d+)\.(\d{6}):\s+\S+: )");
    static const QRegularExpression change(R"(sched:sched_switch: .* prev_pid=(\d+) .* next_pid=(\d+))");
    struct Current {
        int who = -1;
        std::int64_t since = 0, last = 0;
    };
    std::map<int, Current> cpus;
    const auto leave = [&](const Current& current, std::int64_t at) {
        ran[current.who].time += Duration(at - current.since);
        ran[current.who].intervals += at > current.since;
    };
    for (const QString& text : QString::fromUtf8(file.readAll()).split('\n')) {
        const auto match = line.match(text);
        if (!match.hasMatch())
            continue;
        const std::int64_t time = (match.captured(3).toLongLong() * 1'000'000 + match.captured(4).toLongLong()) * 1000;
        Current& current = cpus[match.captured(2).toInt()];
        if (const int who = match.captured(1).toInt(); who != current.who) {
            leave(current, current.last);
            current = {who, time, time};
        }
        current.last = time;
        if (const auto to = change.match(text); to.hasMatch()) {
            leave(current, time);
            current = {to.captured(2).toInt(), time, time};
        }
    }
    return ran;
}

} // namespace

class KernelPerfTest : public QObject {
    Q_OBJECT

private slots:
    void runningTimesAndSwitchesAreThoseOfTheRecording()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/parallel4-perfsched.data");
        HELIO_REQUIRE_TRACE(text, "solo-vs-parallel-perf", "text/parallel4-perfsched.script.txt");
        const auto expected = ranByText(text);
        const KernelRun run = runKernel(path);
        QVERIFY(run.store);

        for (const int tid : {4187, 4188, 4189, 4190}) {
            const Ran ran = ranOn(run, "tid:" + std::to_string(tid));
            const auto difference = std::abs((ran.time - expected.at(tid).time).count());
            QVERIFY2(difference < 1000 * ran.intervals, qPrintable(QString("%1: %2 ns").arg(tid).arg(difference)));
            QCOMPARE(ran.intervals, expected.at(tid).intervals);
        }
        // Expected values from perf sched timehist, for a thread whose switches are all recorded: 1517.121 ms in 389 runs.
        QCOMPARE(ranOn(run, "tid:4187").time.count() / 1000, 1'517'121);
        QCOMPARE(ranOn(run, "tid:4187").intervals, 389);
    }

    void theSchedulersOwnAccountsAreReadToTheNanosecond()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/parallel4-perfsched.data");
        const auto trace = test::openKernelTrace(path);
        QVERIFY(trace);
        std::int64_t runtime = 0;
        int leaves = 0;
        MergedEvents events(*trace);
        while (events.next()) {
            const EventType& type = *events.event().type;
            if (type.name == "sched:sched_stat_runtime" && FieldRef(type, Section::Payload, "comm").text(events.event()) == "matinit")
                runtime += FieldRef(type, Section::Payload, "runtime").integer(events.event()).value_or(0);
            leaves += type.name == "sched:sched_switch" && FieldRef(type, Section::Payload, "prev_comm").text(events.event()) == "matinit";
        }
        QCOMPARE((runtime + 500) / 1000, std::int64_t(6'074'154)); // Expected value from perf sched latency: 6074.154 ms.
        QCOMPARE(leaves, 1530);
    }

    void whatIsMissingHasPerfsNames()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/solo.data");
        const auto trace = test::openKernelTrace(path);
        QVERIFY(trace);
        const auto missing = test::analysisOf("kernel").missing(*trace);
        QVERIFY(missing.size() > 4);
        for (const MissingEvents& need : missing) {
            QVERIFY(need.consequence != "threads are not grouped by process");
            for (const std::string& name : need.anyOf)
                QVERIFY2(need.command.find(name) != std::string::npos || name == "sched:sched_wakeup", name.c_str());
        }
    }

    void aWaitEndsWhereAnEventOfTheThreadProvesThatItRuns()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/parallel4-perfsched.data");
        const KernelRun run = runKernel(path);
        const int row = run.find("tid:4190");
        QVERIFY(row >= 0);
        // Times in µs. At `Out`, the thread is switched out on CPU 1. At `Proof`, an event accounts runtime to the thread, which proves
        // that it runs. At `Again`, the thread is switched out again.
        constexpr std::int64_t Out = 1'815'751'438, Proof = 1'815'755'044, Again = 1'815'759'072;
        QStringList states;
        Duration longest{};
        for (const HostInterval& interval : run.intervals(std::size_t(row))) {
            const std::string& state = run.state(std::size_t(row), interval);
            const std::int64_t begin = nanoseconds(interval.range.begin) / 1000;
            if (begin >= Out && begin < Again)
                states += QString("%1 %2-%3").arg(state.c_str()).arg(begin).arg(nanoseconds(interval.range.end) / 1000);
        }
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i)
            for (const HostInterval& interval : run.track(i).label == "matinit" ? run.intervals(i) : std::vector<HostInterval>())
                if (run.track(i).kind == "thread" && (run.state(i, interval) == "preempted" || run.state(i, interval) == "wait-cpu"))
                    longest = std::max(longest, interval.range.duration());
        QCOMPARE(states.join(", "), QString("unknown %1-%2, running %2-%3").arg(Out).arg(Proof).arg(Again));
        QCOMPARE((longest.count() + 500) / 1000, 8387); // Expected value from perf sched latency: 8.387 ms
    }

    void tracepointsThatWereSampledShowNoStates()
    {
        HELIO_REQUIRE_TRACE(path, "perf-cases", "sched-sampled.data");
        const KernelRun run = runKernel(path);
        QVERIFY(run.store);
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            if (run.track(i).kind == "thread" || run.track(i).kind == "cpu")
                for (const HostInterval& interval : run.intervals(i))
                    QCOMPARE(run.state(i, interval), std::string("unknown"));
        }
        QStringList reported;
        for (const Diagnostic& diagnostic : run.trace->diagnostics())
            reported += QString::fromStdString(diagnostic.what).section(';', 0, 0);
        QCOMPARE(reported.join("; "),
                 QString("sampled events: sched:sched_switch (at most 999 a second), sched:sched_wakeup (at most 999 a second)"));
        const auto missing = test::analysisOf("kernel").missing(*run.trace);
        QVERIFY(missing.at(0).isSampled);
        QVERIFY(missing.at(0).isEssential);
    }

    void tracepointsThatWereAllRecordedShowStates()
    {
        HELIO_REQUIRE_TRACE(path, "perf-cases", "sched-every.data");
        const KernelRun run = runKernel(path);
        QVERIFY(run.store);
        std::map<std::string, int> states;
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            for (const HostInterval& interval : run.track(i).kind == "thread" ? run.intervals(i) : std::vector<HostInterval>())
                ++states[run.state(i, interval)];
        }
        QVERIFY(states["running"] > 100 && states["preempted"] > 50);
        for (const MissingEvents& need : test::analysisOf("kernel").missing(*run.trace))
            QVERIFY(!need.isSampled && !need.isEssential);
    }

    void withoutAllThreadsOnlyTheRecordedOnesHaveStates()
    {
        HELIO_REQUIRE_TRACE(path, "perf-cases", "sched-every.data");
        const KernelRun run = runKernel(path);
        QVERIFY(run.store);
        Duration onCpus{}, onThreads{};
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            const Track& track = run.track(i);
            const bool isOurs = track.pid == 6530;
            for (const HostInterval& interval :
                 track.kind == "thread" || track.kind == "cpu" ? run.intervals(i) : std::vector<HostInterval>()) {
                const bool runs = test::isOnCpu(run.state(i, interval));
                (track.kind == "cpu" ? onCpus : onThreads) += runs ? interval.range.duration() : Duration{};
                QVERIFY(run.state(i, interval) != "idle");
                QVERIFY2(isOurs || track.kind == "cpu" || run.state(i, interval) == "unknown", track.key.c_str());
            }
        }
        QCOMPARE(onCpus, onThreads);
        // Expected value from `perf script --ns`: time from each thread's first line to its switch, its exit or the last event. The sum
        // of the cpu-clock periods is 583 ms.
        QCOMPARE(onThreads.count(), 574'313'938);
        QCOMPARE(run.trace->diagnostics().size(), 1u);
        QCOMPARE(QString::fromStdString(run.trace->diagnostics()[0].what),
                 QString("recorded without -a: only the threads of `work` (6530) have states, from an event that shows where "
                         "a thread runs until it leaves the CPU; other threads, and CPUs in the meantime, are unknown. Record "
                         "all threads with perf record -a"));
    }

    void threadsAreNamedAndGroupedByWhatIsReportedBesideEvents()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/parallel4-sched.data");
        const KernelRun run = runKernel(path);
        QVERIFY(run.store);
        int programs = 0;
        for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
            if (run.track(i).kind != "thread")
                continue;
            QVERIFY2(!run.track(i).label.starts_with("tid:"), run.track(i).key.c_str());
            if (run.track(i).label != "matinit")
                continue;
            ++programs;
            QCOMPARE(run.track(i).pid, run.track(i).tid);
            QVERIFY(run.track(i).parent != NoTrack);
            QCOMPARE(run.track(std::size_t(run.track(i).parent)).label, "bash");
        }
        QCOMPARE(programs, 4);
    }
};

HELIO_TEST(KernelPerfTest)
#include "tst_kernel_perf.moc"
