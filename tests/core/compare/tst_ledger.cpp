#include "core/compare/breakdown.h"
#include "tests/core/compare/made_processes.h"
#include "tests/core/compare/side_breakdown.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <utility>

using namespace helio;

namespace {

using M = MadeProcesses;

Duration sumOf(const Breakdown& breakdown, Duration BreakdownLine::*side)
{
    Duration sum{};
    for (const BreakdownLine& line : breakdown.lines)
        sum += line.*side;
    return sum;
}

const BreakdownLine& lineOf(const Breakdown& breakdown, const std::string& state, const std::string& detail = {})
{
    static const BreakdownLine none;
    for (const BreakdownLine& line : breakdown.lines)
        if (line.state.name == state && line.detail == detail)
            return line;
    return none;
}

} // namespace

class LedgerTest : public QObject {
    Q_OBJECT

private slots:
    void aRunBeginsWhenTheProcessGetsItsName()
    {
        M made;
        made.process("solver", 100, 1000, {{M::User, 500}});
        const Timeline timeline = made.finish();

        const auto runs = processRuns(timeline, "solver", timeline.range);
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].range, (TimeRange{M::at(1000), M::at(1500)}));
        QVERIFY(runs[0].isWhole);
        // The process was named "sh" only between fork and exec, so this is no run of "sh".
        QVERIFY(processRuns(timeline, "sh", timeline.range).empty());
        QVERIFY(processRuns(timeline, "none", timeline.range).empty());
    }

    void aRunCutByTheAskedRangeIsNotWhole()
    {
        M made;
        made.process("solver", 100, 1000, {{M::User, 500}});
        const Timeline timeline = made.finish();

        const auto runs = processRuns(timeline, "solver", {M::at(1200), M::at(9000)});
        QCOMPARE(runs.at(0).range, (TimeRange{M::at(1200), M::at(1500)}));
        QVERIFY(!runs.at(0).isWhole);
    }

    void aChildThatWasForkedWithoutExecBelongsToItsRun()
    {
        M made;
        made.process("solver", 100, 1000, {{M::User, 500}});
        made.forked("solver", 101, 1100, {{M::User, 50}}, 100);
        made.forked("solver", 102, 1120, {{M::User, 30}}, 101);
        made.process("solver", 103, 1200, {{M::User, 70}}); // This process was forked by "sh", so it is a run of its own.
        const Timeline timeline = made.finish();

        const auto runs = processRuns(timeline, "solver", timeline.range);
        QCOMPARE(runs.size(), std::size_t(2));
        QCOMPARE(runs[0].leader.tid, 100);
        QCOMPARE(runs[0].range, (TimeRange{M::at(1000), M::at(1500)}));
        QCOMPARE(runs[0].children.size(), std::size_t(2));
        QCOMPARE(runs[0].children[0].tid, 101);
        QCOMPARE(runs[0].children[1].tid, 102);
        QCOMPARE(runs[1].leader.tid, 103);
        QVERIFY(runs[1].children.empty());
        const auto all = programs(timeline, timeline.range);
        QCOMPARE(all.front().name, "solver");
        QCOMPARE(all.front().runs, 2u);
        QCOMPARE(all.front().wall, Duration(570));
    }

    void aRunThatTakesLongerAloneHasNoEfficiency()
    {
        Breakdown ledger;
        ledger.areAtOnce = true;
        ledger.runsA = 1;
        ledger.runsB = 2;
        ledger.wallB = Duration(10'000);
        ledger.wallA = Duration(31'020);
        QVERIFY(!ledger.efficiency());
        ledger.wallA = Duration(10'006);
        QVERIFY(!ledger.efficiency());
        ledger.wallA = Duration(10'001);
        QCOMPARE(*ledger.efficiency(), 1.0);
        std::swap(ledger.runsA, ledger.runsB);
        QCOMPARE(*ledger.efficiency(), 10'000.0 / 10'001.0);
    }

    void theLinesAddUpExactlyWhereMeansHaveRemainders()
    {
        M a;
        a.process("solver", 100, 1000, {{M::User, 70}, {M::Syscall, 11, "read"}});
        M b;
        b.process("solver", 100, 1000, {{M::User, 71}, {M::Syscall, 10, "read"}, {M::Preempted, 40}});
        b.process("solver", 101, 1001, {{M::User, 70}, {M::Syscall, 12, "write"}, {M::Preempted, 50}});
        b.process("solver", 102, 1002, {{M::User, 70}, {M::Syscall, 11, "read"}, {M::Preempted, 51}});
        const Timeline alone = a.finish();
        const Timeline together = b.finish();

        const Breakdown breakdown =
            breakdownOfSides(alone, processRuns(alone, "solver", alone.range), together, processRuns(together, "solver", together.range));
        QCOMPARE(breakdown.runsA, 1u);
        QCOMPARE(breakdown.runsB, 3u);
        QCOMPARE(breakdown.a, Duration(81));
        QCOMPARE(breakdown.b, Duration(128)); // Mean of three runs: (121 + 132 + 132) ns / 3, rounded down.
        QCOMPARE(sumOf(breakdown, &BreakdownLine::a), breakdown.a);
        QCOMPARE(sumOf(breakdown, &BreakdownLine::b), breakdown.b);
        QCOMPARE(breakdown.lines.front().state.name, "preempted");
        QCOMPARE(breakdown.lines.front().b, Duration(47));
        QCOMPARE(lineOf(breakdown, "running-syscall", "read").a, Duration(11));
        QCOMPARE(lineOf(breakdown, "running-syscall", "write").a, Duration(0));
        QCOMPARE(lineOf(breakdown, "running-syscall", "write").b, Duration(4));
        QCOMPARE(*breakdown.efficiency(), 81.0 / 128.0);
    }

    void runsOneAfterTheOtherAreNotParallel()
    {
        M a;
        a.process("solver", 100, 1000, {{M::User, 70}});
        M b;
        b.process("solver", 100, 1000, {{M::User, 70}});
        b.process("solver", 101, 1100, {{M::User, 90}});
        const Timeline once = a.finish();
        const Timeline twice = b.finish();

        const Breakdown breakdown =
            breakdownOfSides(once, processRuns(once, "solver", once.range), twice, processRuns(twice, "solver", twice.range));
        QCOMPARE(breakdown.runsB, 2u);
        QVERIFY(!breakdown.efficiency());
    }

    void aSideWithoutRunsGivesAnEmptyLedger()
    {
        M made;
        made.process("solver", 100, 1000, {{M::User, 70}});
        const Timeline timeline = made.finish();
        const auto runs = processRuns(timeline, "solver", timeline.range);

        const Breakdown breakdown = breakdownOfSides(timeline, runs, timeline, {});
        QVERIFY(breakdown.lines.empty());
        QCOMPARE(breakdown.runsA, 1u);
        QVERIFY(!breakdown.efficiency());
    }

    void theCommonProgramsAreThoseOfAThatBHasTheBusiestFirst()
    {
        M a;
        a.process("solver", 100, 1000, {{M::User, 500}});
        a.process("monitor", 101, 1000, {{M::User, 900}});
        a.process("sleeper", 102, 1000, {{M::Preempted, 5000}});
        M b;
        b.process("solver", 100, 1000, {{M::User, 500}});
        b.process("sleeper", 102, 1000, {{M::Preempted, 5000}});
        const Timeline first = a.finish();
        const Timeline second = b.finish();

        QCOMPARE(commonPrograms(first, first.range, first, first.range), (std::vector<std::string>{"monitor", "solver", "sleeper"}));
        QCOMPARE(commonPrograms(first, first.range, second, second.range), (std::vector<std::string>{"solver", "sleeper"}));
        QVERIFY(commonPrograms(first, first.range, M().finish(), second.range).empty());
    }

    void whatRanWithinARecordingIsComparedFirstAndRecordersLast()
    {
        constexpr std::int64_t WholeRun = 999'990; // Duration in ns of a run that begins at 10 ns and lasts until the recording ends.
        M a;
        a.process("lttng-consumerd", 90, 10, {{M::User, WholeRun}});
        a.process("perf", 91, 1000, {{M::User, 5000}});
        a.process("database", 92, 10, {{M::User, 3000}, {M::Preempted, WholeRun - 3000}});
        a.process("true", 93, 1000, {{M::User, 20}});
        a.process("solver", 94, 1000, {{M::User, 700}});
        a.process("viewer", 95, 1000, {{M::User, 700}});
        M b;
        for (const auto& [name, pid] : {std::pair("viewer", 95), std::pair("solver", 94), std::pair("true", 93), std::pair("database", 92),
                                        std::pair("perf", 91), std::pair("lttng-consumerd", 90)})
            // In B, each program runs throughout the recording. In A, some programs start and end within the recording; their runs are
            // complete. Both kinds of runs are compared.
            b.process(name, pid, 10, {{M::User, WholeRun}});
        const Timeline first = a.finish();
        const Timeline second = b.finish();

        // Expected order. Programs that are rarely busy come after the others, whether or not they run throughout the recording.
        const std::vector<std::string> expected{"solver", "viewer", "database", "sh", "true", "lttng-consumerd", "perf"};
        QCOMPARE(commonPrograms(first, first.range, second, second.range), expected);
        QCOMPARE(commonPrograms(first, first.range, second, second.range).front(), "solver");
        QCOMPARE(commonPrograms(second, second.range, first, first.range).size(), expected.size());
    }
};

HELIO_TEST(LedgerTest)
#include "tst_ledger.moc"
