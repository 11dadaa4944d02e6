// Tests the time range that the Latency dock uses, and the durations of the calls of all functions in this range.

#include "core/profiling/calls/function_calls.h"
#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/test_program.h"
#include "tests/widgets/docks/shown_durations.h"
#include "widgets/docks/durations/duration_chart.h"

#include <QComboBox>
#include <QJsonObject>
#include <QSignalSpy>

#include <algorithm>

using namespace helio;

namespace {

using Shown = test::ShownDurations;

std::uint64_t countOf(const DurationTable& table)
{
    std::uint64_t count = 0;
    for (int line = 0; line < table.rowCount(); ++line)
        count += table.line(line).lengths.count;
    return count;
}

/// Returns the number of intervals "turns" of both hosts that are completely in the range.
std::uint64_t turnsIn(std::int64_t begin, std::int64_t end)
{
    std::uint64_t count = 0;
    for (int host = 0; host < 2; ++host)
        for (int i = 0; i < MadeIntervals::Turns; ++i)
            count += 1000 * i >= begin && 1000 * i + MadeIntervals::lengthOf(host, i) <= end;
    return count;
}

constexpr std::uint64_t All = 2 * MadeIntervals::Turns;

} // namespace

class PieceRangeTest : public QObject {
    Q_OBJECT

private slots:
    void theSelectedRangeCounts()
    {
        Shown s;
        QTRY_COMPARE(countOf(s.intervalDurations().table()), All);
        s.context.time().setSelection({timestamp(5'000), timestamp(20'100)});
        const std::uint64_t expected = turnsIn(5'000, 20'100);
        QVERIFY(expected > 20 && expected < 40);
        QTRY_COMPARE(countOf(s.intervalDurations().table()), expected);
        QVERIFY(s.pill("Selected range"));
        s.intervalDurations().setShape(IntervalDurationsView::Shape::Scatter);
        QTRY_VERIFY(s.times().grid() && s.times().grid()->count == s.intervalDurations().table().line(0).lengths.count);
        QCOMPARE(s.times().grid()->scale.range.begin, timestamp(5'000));
        QCOMPARE(s.times().grid()->scale.range.end, timestamp(20'100));
        s.context.time().setSelection({});
        QTRY_COMPARE(countOf(s.intervalDurations().table()), All);
        QVERIFY(s.pill("Whole trace"));
    }

    /// Property: going to an interval selects its time, but does not limit the list to it.
    void goingToAnIntervalIsNoRange()
    {
        Shown s;
        QTRY_COMPARE(countOf(s.intervalDurations().table()), All);
        auto* chart = s.intervalDurations().findChild<DurationChart*>();
        chart->select(chart->buckets().size() - 1);
        QTreeView* list = s.named("Entries of the selected bar");
        QTRY_VERIFY(list->model()->rowCount() > 0);
        emit list->clicked(list->model()->index(0, 0));
        QVERIFY(!s.context.time().selection().isEmpty());
        QTest::qWait(300); // Waits longer than the delay before a query, so that a new query would have started.
        QCOMPARE(countOf(s.intervalDurations().table()), All);
        QVERIFY(!list->isHidden() && list->model()->rowCount() > 0);
        QVERIFY(s.pill("Whole trace"));
    }

    void whatIsGoneToLeavesTheRangeThatWasSelected()
    {
        Shown s;
        QTRY_COMPARE(countOf(s.intervalDurations().table()), All);
        s.context.time().setSelection({timestamp(5'000), timestamp(20'100)});
        QTRY_COMPARE(countOf(s.intervalDurations().table()), turnsIn(5'000, 20'100));
        auto* chart = s.intervalDurations().findChild<DurationChart*>();
        chart->select(chart->buckets().size() - 1);
        QTreeView* list = s.named("Entries of the selected bar");
        QTRY_VERIFY(list->model()->rowCount() > 0);
        for (int i = 0; i < 2; ++i) { // Clicks the first entry twice. At the second click, the window is already at this entry.
            emit list->clicked(list->model()->index(0, 0));
            QTest::qWait(300);
            QCOMPARE(countOf(s.intervalDurations().table()), turnsIn(5'000, 20'100));
            QVERIFY(!list->isHidden() && s.pill("Selected range"));
        }
        s.context.time().setSelection({});
        QTRY_COMPARE(countOf(s.intervalDurations().table()), All);
    }

    void whatIsVisibleCountsWhereThatIsChosen()
    {
        Shown s;
        QTRY_COMPARE(countOf(s.intervalDurations().table()), All);
        s.context.time().setVisible({timestamp(10'000), timestamp(14'000)});
        QTest::qWait(200);
        QCOMPARE(countOf(s.intervalDurations().table()), All);
        s.intervalDurations().range().setUsesVisibleRange(true);
        QTRY_COMPARE(countOf(s.intervalDurations().table()), turnsIn(10'000, 14'000));
        s.context.time().setVisible({timestamp(20'000), timestamp(30'000)});
        QTRY_COMPARE(countOf(s.intervalDurations().table()), turnsIn(20'000, 30'000));
        Shown other;
        other.view.restore(s.view.save());
        QVERIFY(other.intervalDurations().range().usesVisibleRange());
    }

    /// Property: a view that is hidden and shown again does not repeat its query.
    void whatIsKnownIsNotAskedAgain()
    {
        Shown s;
        QTRY_COMPARE(countOf(s.intervalDurations().table()), All);
        QSignalSpy reset(&s.intervalDurations().table(), &QAbstractItemModel::modelReset);
        s.view.hide();
        s.view.show();
        QTest::qWait(300);
        QCOMPARE(reset.count(), 0);
    }

    void aLineThatIsActivatedGoesToItsLongest()
    {
        Shown s;
        QTRY_COMPARE(countOf(s.intervalDurations().table()), All);
        QTreeView* lines = s.named("Durations by name");
        const int line = s.intervalDurations().table().find("odd on web");
        lines->setCurrentIndex(lines->model()->index(line, 0));
        emit lines->activated(lines->currentIndex());
        QTRY_COMPARE(s.context.time().selection().duration(), Duration(MadeIntervals::lengthOf(0, 39)));
        QCOMPARE(s.context.time().cursor(), timestamp(39'000));
        QVERIFY(s.context.time().row() == MadeIntervals::row(0));
        // With twenty intervals, the 99.9th percentile is the maximum.
        QCOMPARE(s.intervalDurations().table().line(line).lengths.p999, s.intervalDurations().table().line(line).lengths.most);
    }

    /// Input: two threads that call two functions; one function calls itself.
    void callsAreByFunction()
    {
        test::CallScript script;
        for (int i = 0; i < 30; ++i) {
            const std::int64_t at = 1'000 * (i + 1);
            script.call(at, 100 + i % 2, "f").call(at + 10, 100 + i % 2, i % 3 == 0 ? "f" : "g");
            script.ret(at + 20 + i, 100 + i % 2, i % 3 == 0 ? "f" : "g").ret(at + 100 + i, 100 + i % 2, "f");
        }
        script.run(40'000);
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(2));
        timeline->stores.push_back({0, script.sharedStore()});
        timeline->range = {timestamp(0), timestamp(40'000)};
        Shown s(timeline);
        auto* choice = s.view.findChild<QComboBox*>();
        const int calls = choice->findText("Calls of all functions");
        QCOMPARE(calls, 1); // Entry 1 of the list; entry 0 is "calls of one function".
        emit choice->activated(calls);
        QTRY_COMPARE(s.intervalDurations().table().rowCount(), 2);
        const auto expected = calledFunctions(*timeline);
        QCOMPARE(expected.size(), 2U);
        for (const FunctionSum& it : expected) {
            const int line = s.intervalDurations().table().find(it.function.label());
            QVERIFY(line >= 0);
            QCOMPARE(s.intervalDurations().table().line(line).lengths.count, it.calls);
            QCOMPARE(s.intervalDurations().table().line(line).lengths.most, it.longest.range.duration());
        }
        s.intervalDurations().setShape(IntervalDurationsView::Shape::Density);
        QTRY_VERIFY(s.times().grid() && s.times().grid()->count == 40); // Shows the 40 calls of f, which has the most total time.
    }
};

HELIO_TEST(PieceRangeTest)
#include "tst_piece_range.moc"
