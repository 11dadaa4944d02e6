// Threads that had the CPU while a program was preempted. Input: states of CPUs.

#include "core/compare/causes.h"
#include "core/compare/preempters.h"
#include "core/query/rows/facts.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/perf_recording.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using test::KernelScript;

namespace {

constexpr auto S = 1; // State of a thread that leaves its CPU: sleeping.
constexpr auto P = 256; // State of a thread that leaves its CPU: preempted.

Timeline timelineOf(const std::shared_ptr<KernelScript>& script)
{
    script->run();
    Timeline timeline;
    addTrace(timeline, {script->sharedStore(), script});
    timeline.range = {timestamp(0), timestamp(100)};
    timeline.isComplete = true;
    return timeline;
}

QString listed(const Timeline& timeline, std::string_view program)
{
    QStringList all;
    const auto runs = processRuns(timeline, program, timeline.range);
    for (const Preempter& it : preempters(sideOf(timeline, runs, BreakdownBasis::FirstThread)))
        all << QString("%1 %2").arg(it.comm.empty() ? "nobody" : it.comm.c_str()).arg(it.time.count());
    return all.join(", ");
}

} // namespace

class PreemptersTest : public QObject {
    Q_OBJECT

private slots:
    void whoRanMeanwhileIsNamedTheLongestFirst()
    {
        auto s = std::make_shared<KernelScript>();
        s->sw(0, 0, 0, 0, 7).sw(10, 0, 7, P, 8).sw(20, 0, 8, S, 9).sw(50, 0, 9, S, 7).sw(60, 0, 7, S, 9).sw(100, 0, 9, S, 0);
        // Thread 9 runs from 20 to 50 and again from 60. Only the first 30 ns count, because t7 sleeps from 60 on.
        QCOMPARE(listed(timelineOf(s), "t7"), QString("t9 30, t8 10"));
    }

    void anotherCpuTakesNobodyOff()
    {
        auto s = std::make_shared<KernelScript>();
        s->sw(0, 0, 0, 0, 7).sw(0, 1, 0, 0, 5).sw(10, 0, 7, P, 8).sw(40, 1, 5, S, 7).sw(60, 0, 8, S, 0).sw(100, 1, 7, S, 0);
        QCOMPARE(listed(timelineOf(s), "t7"), QString("t8 30"));
    }

    void anIdleCpuIsNobody()
    {
        auto s = std::make_shared<KernelScript>();
        s->sw(0, 0, 0, 0, 7).sw(10, 0, 7, P, 8).sw(20, 0, 8, S, 0).sw(45, 0, 0, 0, 7).sw(100, 0, 7, S, 0);
        QCOMPARE(listed(timelineOf(s), "t7"), QString("nobody 25, t8 10"));
    }

    void inARecordingOfFourProgramsOnTwoCpusTheyTakeEachOtherOff()
    {
        HELIO_REQUIRE_TRACE(folder, PerfRecording::Collection);
        const PerfRecording recorded("parallel4-perfsched");
        const auto runs = processRuns(*recorded.timeline, "matinit", rangeOf(*recorded.timeline));
        QCOMPARE(runs.size(), 4u);
        const SideRuns side = sideOf(*recorded.timeline, runs, BreakdownBasis::FirstThread);
        const auto all = preempters(side);
        QCOMPARE(all.at(0).comm, std::string("matinit"));
        Duration sum{};
        for (const Preempter& it : all)
            sum += it.time;
        std::int64_t preempted = 0;
        for (const auto& [cause, ns] : computeTimesByCause(side))
            preempted += cause.state.name == "preempted" ? ns : 0;
        QCOMPARE(sum.count(), preempted);
    }
};

HELIO_TEST(PreemptersTest)
#include "tst_preempters.moc"
