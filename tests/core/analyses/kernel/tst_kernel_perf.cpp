// What the analysis says of scheduler recordings by perf, against perf sched's own numbers.

#include "kernel_run.h"
#include "tests/support/real_traces.h"

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
    int stretches = 0;
};

Ran ranOn(const KernelRun& run, const std::string& key)
{
    Ran ran;
    const int row = run.find(key);
    bool isRunning = false;
    for (const HostInterval& interval : row < 0 ? std::vector<HostInterval>() : run.intervals(std::size_t(row))) {
        const bool runs = test::isOnCpu(run.state(std::size_t(row), interval));
        ran.stretches += runs && !isRunning;
        isRunning = runs;
        ran.time += runs ? interval.range.duration() : Duration{};
    }
    return ran;
}

/// The same from the lines of `perf script`, in ns cut to microseconds. The recording misses some switches: what a thread ran that
/// left a CPU which another was last seen to get is not known.
std::map<int, Ran> ranByText(const QString& path)
{
    std::map<int, Ran> ran;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return ran;
    static const QRegularExpression line(R"(\[(\d+)\]\s+(\d+)\.(\d{6}):\s+sched:sched_switch: .* prev_pid=(\d+) .* next_pid=(\d+))");
    std::map<int, std::pair<int, std::int64_t>> current; // By CPU: who, since when.
    for (const QString& text : QString::fromUtf8(file.readAll()).split('\n')) {
        const auto match = line.match(text);
        if (!match.hasMatch())
            continue;
        const std::int64_t time = (match.captured(2).toLongLong() * 1'000'000 + match.captured(3).toLongLong()) * 1000;
        auto& [who, since] = current.try_emplace(match.captured(1).toInt(), -1, 0).first->second;
        if (who == match.captured(4).toInt()) {
            ran[who].time += Duration(time - since);
            ++ran[who].stretches;
        }
        who = match.captured(5).toInt();
        since = time;
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
            QVERIFY2(difference < 1000 * ran.stretches, qPrintable(QString("%1: %2 ns").arg(tid).arg(difference)));
            QCOMPARE(ran.stretches, expected.at(tid).stretches);
        }
        // perf sched timehist says 1517.121 ms and 389 of the one whose switches are all there.
        QCOMPARE(ranOn(run, "tid:4187").time.count() / 1000, 1'517'121);
        QCOMPARE(ranOn(run, "tid:4187").stretches, 389);
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
        QCOMPARE((runtime + 500) / 1000, std::int64_t(6'074'154)); // perf sched latency: 6074.154 ms.
        QCOMPARE(leaves, 1530);
    }

    void whatIsMissingHasPerfsNames()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/solo.data");
        const auto trace = test::openKernelTrace(path);
        QVERIFY(trace);
        const auto missing = kernelAnalysis.missing(*trace);
        QVERIFY(missing.size() > 4);
        for (const Requirement& need : missing) {
            QVERIFY(need.consequence != "threads are not grouped by process");
            for (const std::string& name : need.anyOf)
                QVERIFY2(need.command.find(name) != std::string::npos || name == "sched:sched_wakeup", name.c_str());
        }
    }

    void threadsAreNamedAndGroupedByWhatIsToldBesideEvents()
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

QTEST_GUILESS_MAIN(KernelPerfTest)
#include "tst_kernel_perf.moc"
