// Input: a single call as the subject of a comparison. Property: the breakdown explains the call's own time, not its process' time.

#include "core/compare/call_sides.h"
#include "core/compare/subject.h"
#include "core/query/rows/statistics.h"
#include "tests/core/compare/side_breakdown.h"
#include "tests/support/made_calls.h"
#include "tests/support/opened_calls.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

TimeRange between(std::int64_t begin, std::int64_t end) { return {timestamp(begin), timestamp(end)}; }

TrackRef rowOfCalls(const Timeline& timeline, const char* key)
{
    const auto all = rows(timeline, "call-stack");
    const auto found = std::ranges::find(all, key, &Row::id);
    return found == all.end() ? TrackRef() : found->ref;
}

Duration timeIn(const Breakdown& breakdown, std::string_view state)
{
    Duration sum{};
    for (const BreakdownLine& line : breakdown.lines)
        if (line.state.name == state)
            sum += line.b;
    return sum;
}

} // namespace

class CallSubjectTest : public QObject {
    Q_OBJECT

private slots:
    void aCallIsARunOfItsThread()
    {
        const auto timeline = MadeCalls::make();
        const Subject subject{{}, rowOfCalls(*timeline, "calls:100/2")};
        const TimeRange render = between(1200, 2800);
        const auto call = callOf(*timeline, subject, render);
        QVERIFY(call);
        QCOMPARE(readCallName(*timeline, *call), "render");
        QVERIFY(!callOf(*timeline, subject, between(1200, 2799))); // A part of the call's range is no call.
        QVERIFY(!callOf(*timeline, subject, between(1000, 1200))); // No call has this range.

        const auto runs = runsOf(*timeline, subject, render);
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].leader.role, TrackRole::Thread);
        QCOMPARE(runs[0].leader.tid, 100);
        QCOMPARE(runs[0].range, render);
        QVERIFY(runs[0].isWhole && runs[0].isOneThread);
        const auto part = runsOf(*timeline, subject, between(1200, 2799));
        QVERIFY(part.size() == 1 && !part[0].isWhole && part[0].range == between(1200, 2799));
        const Breakdown breakdown = breakdownOfSides(*timeline, runs, *timeline, runs);
        QCOMPARE(breakdown.a, Duration(1600));
        QVERIFY(!breakdown.lines.empty());
        for (const StateTotal& total : totals(*timeline, runs[0].leader.ref, render))
            QCOMPARE(timeIn(breakdown, stateName(*timeline, runs[0].leader.ref, total.state)), total.total);
    }

    void withoutStatesItsTimeIsUnknown()
    {
        const auto timeline = MadeCalls::make();
        const auto runs = runsOf(*timeline, {{}, rowOfCalls(*timeline, "calls:555/1")}, between(100, 400));
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].leader.label, "helper");
        const Breakdown breakdown = breakdownOfSides(*timeline, runs, *timeline, runs);
        QCOMPARE(breakdown.a, Duration(300));
        QCOMPARE(breakdown.lines.size(), std::size_t(1));
        QVERIFY(breakdown.lines[0].state.meaning == StateCategory::Unknown);
    }

    /// Input: a slow and a fast call of a function in two threads, one on each side. Property: each call's time is explained by its own
    /// thread.
    void twoCallsOfTwoThreadsAreExplainedEachByItsOwn()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const QTemporaryDir stores;
        const auto timeline = test::openedCalls(trace, stores);
        const auto all = [](const Row&, std::string_view, TimeRange) { return true; };
        auto calls = callsOf(*timeline, *callKind(*timeline, "call"), "app::request", timeline->range, all).calls;
        QCOMPARE(calls.size(), std::size_t(30));
        std::ranges::stable_sort(calls, {}, [](const FunctionCall& it) { return it.range.duration(); });
        const FunctionCall quick = calls.front();
        const auto slow =
            std::ranges::find_if(calls.rbegin(), calls.rend(), [&](const FunctionCall& it) { return it.states != quick.states; });
        QVERIFY(slow != calls.rend());

        const auto runsA = runsOf(*timeline, {{}, quick.row}, quick.range);
        const auto runsB = runsOf(*timeline, {{}, slow->row}, slow->range);

        QVERIFY(runsA.at(0).leader.ref == quick.states && runsB.at(0).leader.ref == slow->states);
        QVERIFY(runsB[0].leader.tid != runsB[0].leader.pid); // The thread is a worker, not the first thread of its process.
        const Breakdown breakdown = breakdownOfSides(*timeline, runsA, *timeline, runsB);
        const Breakdown expected = computeBreakdown(*timeline, {{quick}, {*slow}, quick.range.duration()});
        QCOMPARE(breakdown.a, quick.range.duration());
        QCOMPARE(breakdown.b, slow->range.duration());
        QCOMPARE(breakdown.lines.size(), expected.lines.size());
        for (std::size_t i = 0; i < breakdown.lines.size(); ++i) {
            QCOMPARE(breakdown.lines[i].state.name, expected.lines[i].state.name);
            QCOMPARE(breakdown.lines[i].detail, expected.lines[i].detail);
            QCOMPARE(breakdown.lines[i].a, expected.lines[i].a);
            QCOMPARE(breakdown.lines[i].b, expected.lines[i].b);
        }
    }
};

HELIO_TEST(CallSubjectTest)
#include "tst_call_subject.moc"
