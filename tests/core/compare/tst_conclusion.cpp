// Property: the texts that conclude a comparison name the causes of the difference. Input: breakdowns, and measurements of both sides such
// as CPU utilization.

#include "core/compare/causes.h"
#include "core/compare/conclusion.h"
#include "core/compare/off_cpu_stacks.h"
#include "core/profiling/export/call_tree_text.h"
#include "tests/core/compare/made_processes.h"
#include "tests/support/made_states.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace helio;

namespace {

constexpr std::int64_t Ms = 1'000'000;

/// A breakdown line with these times in ms in A and in B.
BreakdownLine line(const char* state, const char* detail, std::int64_t a, std::int64_t b)
{
    return {test::threadState(state), detail, Duration(a * Ms), Duration(b * Ms)};
}

Breakdown breakdownOf(std::vector<BreakdownLine> lines, std::uint32_t runsA = 1, std::uint32_t runsB = 1)
{
    Breakdown breakdown;
    for (const BreakdownLine& it : lines) {
        breakdown.a += it.a;
        breakdown.b += it.b;
    }
    breakdown.wallA = breakdown.a;
    breakdown.wallB = breakdown.b;
    breakdown.lines = std::move(lines);
    breakdown.runsA = runsA;
    breakdown.runsB = runsB;
    return breakdown;
}

QString said(const Breakdown& breakdown, const SideMeasurements& a = {1, 2, 0.5, {}}, const SideMeasurements& b = {1, 2, 0.5, {}})
{
    return QString::fromStdString(conclusion(breakdown, a, b));
}

} // namespace

class ConclusionTest : public QObject {
    Q_OBJECT

private slots:
    void whoHadNoCpuAmongBusyOnesIsReported()
    {
        const Breakdown breakdown =
            breakdownOf({line("waiting", "off CPU (no samples)", 0, 4520), line("running-user", "sampled", 4400, 4532)}, 1, 4);
        QCOMPARE(said(breakdown, {1, 2, 0.5, {}}, {4, 2, 0.99, {}}),
                 "In B, 4 processes shared 2 CPUs at 99 % utilization; each got a CPU only half the time. CPU time "
                 "per process is nearly the same as alone (+3 %).");
        // A busy CPU is not named as the cause if each process had a CPU of its own, or if the load was not recorded.
        QCOMPARE(said(breakdown, {1, 2, 0.5, {}}, {2, 8, 0.99, {}}),
                 "In B, it was on a CPU only half the time (in A 100 %); the reason was not recorded: record "
                 "scheduler events, too. CPU time per process is nearly the same as alone (+3 %).");
        QVERIFY(said(breakdown, {1, 2, 0.5, {}}, {4, 2, std::nan(""), {}}).startsWith("In B, it was on a CPU only half"));
    }

    void othersOnSharedCpusAreSaid()
    {
        const Breakdown breakdown =
            breakdownOf({line("waiting", "off CPU (no samples)", 0, 8300), line("running-user", "sampled", 1000, 1700)}, 1, 4);
        QVERIFY(said(breakdown, {1, 2, 0.5, {}}, {4, 2, 0.99, {}})
                    .startsWith("In B, 4 processes shared 2 CPUs at 99 % utilization, 65 % by other programs; each got a CPU only 17 "
                                "% of the time."));
    }

    void runsThatTheRecordingCutAreSaid()
    {
        const Breakdown breakdown = breakdownOf({line("running-user", "sampled", 1000, 1500)}, 5, 1);
        SideMeasurements a{1, 2, 0.5, {}};
        SideMeasurements b = a;
        a.runs = 5;
        b.runs = 1;
        const QString whole = said(breakdown, a, b);
        a.cutRuns = 4;
        QCOMPARE(said(breakdown, a, b),
                 whole + " The recording of 4 of 5 runs in A is incomplete: how long they took in total is unknown.");
        b.cutRuns = 1;
        QCOMPARE(said(breakdown, a, b),
                 whole
                     + " The recording of 4 of 5 runs in A and of the run in B is incomplete: how long they took in total "
                       "is unknown.");
        a.cutRuns = 0;
        QCOMPARE(said(breakdown, a, b), whole + " The recording of the run in B is incomplete: how long it took in total is unknown.");
    }

    void recordedWaitsNameWhoRan()
    {
        const Breakdown breakdown =
            breakdownOf({line("preempted", "", 100, 600), line("wait-cpu", "", 0, 100), line("running-user", "", 1000, 1300)});
        QCOMPARE(said(breakdown, {1, 2, 0.5, {}}, {1, 4, 1, {{"worker", Duration(450 * Ms)}, {"", Duration(150 * Ms)}}}),
                 "In B, it ran on 4 CPUs at 100 % utilization and waited for a CPU 35 % of the time, preempted mostly "
                 "by worker (75 %). The code itself used 30 % more CPU time than in A.");
    }

    void theSlowerSideIsExplained()
    {
        const Breakdown breakdown = breakdownOf({line("blocked", "read", 900, 100), line("running-user", "", 1000, 1000)});
        QCOMPARE(said(breakdown),
                 "In A, it was blocked in read for 800\u00a0ms more; sleeping or blocked 47 % of the time. CPU time "
                 "per process is nearly the same as in B (\u00b10 %).");
    }

    void moreWorkIsTheCodes()
    {
        QCOMPARE(said(breakdownOf({line("running-kernel", "page fault", 100, 2100), line("running-user", "sampled", 1000, 1500)})),
                 "In B, the work itself took 2.50\u00a0s more CPU time (\u00d73.27), 2.00\u00a0s of it in the kernel: "
                 "page fault.");
        QCOMPARE(said(breakdownOf({line("running-user", "sampled", 1000, 1500)})),
                 "In B, the work itself took 500\u00a0ms more CPU time (\u00d71.50), 500\u00a0ms of it in its own code.");
    }

    void sidesThatWereNotMeasuredAlikeAreNotExplained()
    {
        using enum SideMeasurements::Source;
        const Breakdown breakdown = breakdownOf({line("running", "", 1000, 0), line("running-user", "sampled", 0, 260),
                                                 line("sleeping", "", 100, 0), line("waiting", "off CPU (no samples)", 0, 2000)});
        SideMeasurements sampled{1, 2, 0.5, {}, Samples};
        const QString unadvised = said(breakdown, {1, 2, 0.5, {}, States}, sampled);
        QVERIFY(unadvised.endsWith("these cannot be compared. Record both sides with scheduler events."));
        // The advice is about the tracer of the side without scheduler events.
        sampled.statesCommand = "tracer -s";
        QCOMPARE(said(breakdown, {1, 2, 0.5, {}, States}, sampled),
                 "B took 1.16\u00a0s longer. The reason is unknown: in B only samples were recorded, in A scheduler "
                 "events were, and these cannot be compared. Record both sides with scheduler events: tracer -s");
    }

    void severalThreadsAreExplainedByTheirCpuTimeAndItsCode()
    {
        Breakdown breakdown = breakdownOf({line("running-user", "sampled", 3700, 6700)});
        breakdown.basis = BreakdownBasis::SampledCpuTime;
        breakdown.wallA = Duration(3900 * Ms);
        breakdown.wallB = Duration(6500 * Ms);
        const auto side = [](std::int64_t ms, std::uint32_t threads) {
            SideMeasurements measures{1, 2, 0.5, {}, SideMeasurements::Source::Samples};
            measures.cpuTime.sampled = Duration(ms * Ms);
            measures.threads = threads;
            return measures;
        };
        const QString unknown = " Wait causes were not recorded: record scheduler events.";
        const CodeDifference code{"shop::fold", 2.99e9, false, "memcmp", 2.3e9};
        QCOMPARE(QString::fromStdString(conclusion(breakdown, side(3700, 4), side(6700, 4), code)),
                 "In B, 4 threads used 81 % more CPU time than in A (+3.00\u00a0s): +2.99\u00a0s below shop::fold, of "
                 "which memcmp +2.30\u00a0s."
                     + unknown);
        QCOMPARE(said(breakdown, side(3700, 2), side(3710, 4)),
                 "In B, 4 threads (in A 2) used as much CPU time as in A (\u00b10 %), and the run took 2.60\u00a0s "
                 "longer."
                     + unknown);
        QCOMPARE(said(breakdown, side(3700, 4), side(3000, 4)),
                 "In B, 4 threads used 19 % less CPU time than in A (\u2212700\u00a0ms), yet the run took 2.60\u00a0s "
                 "longer."
                     + unknown);
        QCOMPARE(said(breakdown, side(1000, 4), side(6000, 4)), "In B, 4 threads used 6 times the CPU time of A (+5.00\u00a0s)." + unknown);
        SideMeasurements busy = side(6700, 4);
        busy.busy = 0.987;
        QCOMPARE(said(breakdown, side(3700, 4), busy),
                 "In B, 4 threads used 81 % more CPU time than in A (+3.00\u00a0s). Its CPUs were 98 % busy." + unknown);
        std::swap(breakdown.wallA, breakdown.wallB);
        QCOMPARE(
            QString::fromStdString(conclusion(breakdown, side(6700, 4), side(3700, 4), CodeDifference{"shop::fold", -2.99e9, true, {}, 0})),
            "In A, 4 threads used 81 % more CPU time than in B (+3.00\u00a0s): +2.99\u00a0s in shop::fold." + unknown);
    }

    void theCriticalPathIsWhatTheTimeOfSeveralThreadsIsOf()
    {
        Breakdown breakdown = breakdownOf({line("running-user", "", 400, 2000), line("sleeping", "futex", 100, 90)});
        breakdown.basis = BreakdownBasis::CriticalPath;
        breakdown.wallA = breakdown.a;
        breakdown.wallB = breakdown.b;
        SideMeasurements a{1, 2, 0.5, {}, SideMeasurements::Source::States, {Duration(1000 * Ms), {}}, 3};
        SideMeasurements b = a;
        b.cpuTime.recorded = Duration(1100 * Ms);
        QCOMPARE(said(breakdown, a, b),
                 "In B, the critical path took 1.60\u00a0s more CPU time (\u00d75.00), 1.60\u00a0s of it in its own "
                 "code. In B, 3 threads used 10 % more CPU time than in A (+100\u00a0ms).");
    }

    void whatIsMeasuredIsOfAllThreadsUnlessOneIsAskedFor()
    {
        using M = MadeProcesses;
        M made;
        made.process("solver", 100, 1000, {{M::User, 70}, {M::Preempted, 40}});
        made.process("solver", 101, 1000, {{M::User, 30}}, 100);
        const Timeline timeline = made.finish();
        auto runs = processRuns(timeline, "solver", timeline.range);
        QCOMPARE(runs.size(), 1u);
        const RunThreads both = threadsOf(timeline, runs);
        QCOMPARE(both.cpuTime.recorded, Duration(100));
        QCOMPARE(both.atWork, 2u);
        QVERIFY(both.isMultithreaded && both.hasThreadStates && !both.hasCpuTimeSamples);
        std::stop_source stopped;
        stopped.request_stop();
        QCOMPARE(threadsOf(timeline, runs, stopped.get_token()).cpuTime.recorded, Duration());
        runs.front().isOneThread = true;
        QCOMPARE(threadsOf(timeline, runs).cpuTime.recorded, Duration(70));
        QVERIFY(!threadsOf(timeline, runs).isMultithreaded);
    }

    void timeOfWhichNothingIsKnownIsNamed()
    {
        QCOMPARE(said(breakdownOf({line("unknown", "", 0, 2000), line("running-user", "", 1000, 1050)})),
                 "In B, what it did for another 2.00\u00a0s is unknown.");
        QCOMPARE(said(breakdownOf({line("unknown", "", 3000, 1000)})), "In A, what it did for another 2.00\u00a0s is unknown.");
    }

    void nothingIsMadeOfNothing()
    {
        QCOMPARE(said(Breakdown()), "");
        QCOMPARE(said(breakdownOf({line("running-user", "", 1000, 1005)})), "Both sides take equally long.");
        QVERIFY(!said(breakdownOf({line("running-user", "", 0, 3000)})).isEmpty());
    }

    void statesShowWhatTheCpuDid()
    {
        for (const char* state : {"running", "running-user", "running-syscall", "running-kernel", "page-fault", "interrupted", "exiting"})
            QVERIFY2(isOnCpu(test::threadState(state).meaning), state);
        for (const char* state : {"wait-cpu", "preempted"})
            QVERIFY2(isRunnable(test::threadState(state).meaning), state);
        for (const char* state : {"sleeping", "blocked", "waiting", "stopped", "parked", "idle-kthread"})
            QVERIFY2(isOffCpu(test::threadState(state).meaning), state);
        QVERIFY(test::threadState("unknown").meaning == StateCategory::Unknown);
    }

    void theWayIntoTheKernelIsThatOfItsOutermostFunction()
    {
        const std::pair<const char*, const char*> ways[] = {{"asm_exc_page_fault", "page fault"},
                                                            {"page_fault", "page fault"},
                                                            {"entry_SYSCALL_64_after_hwframe", "system call"},
                                                            {"el0_svc", "system call"},
                                                            {"asm_sysvec_apic_timer_interrupt", "interrupt"},
                                                            {"ret_from_intr", "interrupt"},
                                                            {"asm_exc_int3", "exception"},
                                                            {"ret_from_fork_asm", "kernel thread"},
                                                            {"_raw_spin_unlock_irqrestore", ""},
                                                            {"clear_page_erms", ""},
                                                            {"", ""}};
        for (const auto& [function, way] : ways)
            QCOMPARE(QByteArray(kernelEntryOf(function).data(), qsizetype(kernelEntryOf(function).size())), QByteArray(way));
    }

    void timeOffTheCpuIsFramesBesideTheSampledOnes()
    {
        using M = MadeProcesses;
        M made;
        made.process("solver", 100, 1000, {{M::User, 70}, {M::Preempted, 40}, {M::Unknown, 5}, {M::User, 1}, {M::Preempted, 3}});
        const Timeline timeline = made.finish();
        StackProfile profile;
        profile.nodes.emplace_back();
        profile.threads.emplace_back();
        profile.stacks.push_back({0, 0, 0, 7, 71, {}});
        profile.samples = 7;
        profile.weight = 71;
        StackNames names;
        names.functions.emplace_back();
        names.firstFrame = {0, 0};

        const auto runs = processRuns(timeline, "solver", timeline.range);
        QVERIFY(computeOffCpuStacks(sideOf(timeline, runs, BreakdownBasis::CriticalPath))
                    .empty()); // The text is empty, because off-CPU samples of all threads cannot be added to the time of a critical path.
        addOffCpuStacks(computeOffCpuStacks(sideOf(timeline, runs, BreakdownBasis::FirstThread)), profile, names);

        CallTreeOptions options;
        options.base = CallTreeOptions::Base::None;
        std::string text;
        const CallTree tree = buildCallTree(profile, names, options);
        writeFolded(tree, WeightBy::Weight, [&](std::string_view piece) {
            text += piece;
            return true;
        });
        QCOMPARE(QString::fromStdString(text), QString("preempted 43\n"));
        QCOMPARE(tree.whole, (SampleSum{7, 114}));
    }

    void anExampleStretchIsWhereTheCauseIsThickest()
    {
        using M = MadeProcesses;
        M made;
        made.process("solver", 100, 1000, {{M::User, 400}, {M::Preempted, 10}, {M::User, 290}, {M::Preempted, 90}, {M::User, 210}});
        const Timeline timeline = made.finish();
        const auto runs = processRuns(timeline, "solver", timeline.range);
        const SideRuns side = sideOf(timeline, runs, BreakdownBasis::FirstThread);
        const auto stretch = [&](const char* state) {
            return findExampleRange(side, breakdownOf({line(state, "", 0, 1)}), runs.at(0).range, Duration(100));
        };
        QCOMPARE(stretch("preempted"), (TimeRange{M::at(1700), M::at(1800)}));
        // No interval has the state "blocked", so the example is taken from the middle of the run.
        QCOMPARE(stretch("blocked"), (TimeRange{M::at(1450), M::at(1550)}));
        QCOMPARE(findExampleRange(side, Breakdown(), runs.at(0).range, Duration(100'000)), runs.at(0).range);
    }
};

HELIO_TEST(ConclusionTest)
#include "tst_conclusion.moc"
