// Property: a search over states whose intervals are calls finds the expected time ranges and groups of calls.

#include "core/profiling/calls/function_calls.h"
#include "core/query/filters/state_search.h"
#include "tests/support/made_calls.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }

std::vector<TimeRange> found(const char* text)
{
    const auto timeline = MadeCalls::make();
    const auto expression = Expression::parse(text);
    if (!expression)
        qFatal("%s", text);
    const std::vector<std::string> views{"call-stack", "control-flow"};
    std::vector<TimeRange> ranges;
    for (const StateHit& hit : findStates(*timeline, **expression, views, timeline->range).hits)
        ranges.push_back(hit.range);
    return ranges;
}

const std::vector<std::string> Views{"call-stack", "control-flow"};

StateFindings foundCalls(const char* text)
{
    const auto timeline = MadeCalls::make();
    return findCalls(*timeline, **Expression::parse(text), Views, timeline->range);
}

} // namespace

class CallSearchTest : public QObject {
    Q_OBJECT

private slots:
    void callsAreFoundByTheirFunctions()
    {
        QCOMPARE(found("name == \"read\""), (std::vector<TimeRange>{{at(1300), at(1500)}, {at(2000), at(2001)}}));
        QCOMPARE(found("name contains \"re\" && duration > 100"), (std::vector<TimeRange>{{at(1200), at(2800)}, {at(1300), at(1500)}}));
        QCOMPARE(found("name == \"nothing\""), std::vector<TimeRange>());
    }

    void callsAreFoundByTheirThreads()
    {
        const std::vector<TimeRange> ofHelper{{at(100), at(400)}, {at(500), at(4000)}};
        QCOMPARE(found("thread == \"helper\""), ofHelper);
        // The result is empty, because the name of a call is its function's name.
        QCOMPARE(found("name == \"helper\""), std::vector<TimeRange>());
        QCOMPARE(found("thread == \"helper\" && name =~ \"^c\""), (std::vector<TimeRange>{{at(100), at(400)}}));
        // The result is empty, because "1" is the depth, not the name of the call.
        QCOMPARE(found("name == \"1\""), std::vector<TimeRange>());
        // In the kernel's trace, the thread has the name "worker-0".
        QCOMPARE(found("thread == \"worker-0\" && name == \"read\"").size(), 2u);
        QCOMPARE(found("thread == \"app\" && name == \"read\"").size(), 2u);
        QCOMPARE(found("thread != \"app\" && name == \"read\"").size(), 0u);
    }

    void aWordFindsCallsByTheirFunctionsAlone()
    {
        const StateFindings read = foundCalls("rea");
        QVERIFY(read.areCalls);
        QCOMPARE(read.hits.size(), std::size_t(2));
        QCOMPARE(read.hits[0].range, (TimeRange{at(1300), at(1500)}));
        // One group has all calls of the function read(), the other has its calls in the thread of the row "calls:100".
        QCOMPARE(read.groups.size(), std::size_t(2));
        QCOMPARE(read.groups[0].state, "read");
        QCOMPARE(read.groups[1].durations.total, Duration(201));
        const auto timeline = MadeCalls::make();
        const auto rows = helio::rows(*timeline, "call-stack");
        QVERIFY(std::ranges::find(rows, read.groups[1].track, &Row::ref)->id == "calls:100");
        QVERIFY(foundCalls("helper").hits.empty()); // The result is empty, because "helper" is the name of a thread.
        QVERIFY(foundCalls("calls").hits.empty()); // The result is empty, because "calls" is the label of rows.
        QCOMPARE(foundCalls("re && tid == 100").hits.size(), std::size_t(3));
        QCOMPARE(foundCalls("re && tid == 555").hits.size(), std::size_t(0));
    }

    void whatNamesAFunctionIsASearchForCalls_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("expected");
        QTest::newRow("part of a name") << "rend" << true;
        QTest::newRow("a name") << "name == \"render\"" << true;
        QTest::newRow("no name") << "sched_switch" << false;
        QTest::newRow("all but a name") << "name != \"render\"" << false;
        QTest::newRow("a thread") << "tid == 100" << false;
    }
    void whatNamesAFunctionIsASearchForCalls()
    {
        QFETCH(QString, text);
        const auto timeline = MadeCalls::make();
        QTEST(searchesFunctions(*timeline, **Expression::parse(text.toStdString()), Views), "expected");
    }

    void functionsAreListedWithTheirLongestCalls()
    {
        const auto timeline = MadeCalls::make();
        const auto all = calledFunctions(*timeline);
        QCOMPARE(all.size(), std::size_t(7));
        QCOMPARE(all[0].function.name, "read");
        QCOMPARE(all[0].calls, 2u);
        QCOMPARE(all[0].longest.range, (TimeRange{at(1300), at(1500)}));
        for (const FunctionSum& sum : all) // Truncated and open calls are not included, because their ends are unknown.
            QCOMPARE(sum.isFinished, sum.function.name != "cut" && sum.function.name != "loop");
        QVERIFY(calledFunctions(*MadeTimeline::make(2)).empty());
    }

    void callsAreFoundByHowTheyEnd() { QCOMPARE(found("state == \"call-open\""), (std::vector<TimeRange>{{at(500), at(4000)}})); }
};

HELIO_TEST(CallSearchTest)
#include "tst_call_search.moc"
