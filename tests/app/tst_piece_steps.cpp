// Keys that go to the next or previous interval that the Durations dock lists.

#include "app/gui/common/navigator.h"
#include "tests/support/test_program.h"
#include "tests/widgets/docks/shown_durations.h"
#include "widgets/docks/durations/duration_chart.h"
#include "widgets/workspace/go_to.h"

#include <QSignalSpy>

using namespace helio;

namespace {

struct Listed : test::ShownDurations {
    /// Shows the intervals of all names in the density chart, then selects the whole chart, so that the list has all 80 intervals.
    void listAll()
    {
        QTRY_COMPARE(intervalDurations().table().rowCount(), 4);
        intervalDurations().setShape(IntervalDurationsView::Shape::Density);
        pill("All names")->click();
        QTRY_VERIFY(times().grid() && times().grid()->count == 80);
        const DensityGridScale scale = times().grid()->scale;
        drag(times().cellRect(0, scale.rows - 1).topLeft(), times().cellRect(scale.columns - 1, 0).bottomRight());
        QTRY_COMPARE(list().model()->rowCount(), 80);
    }
    void enter(int line)
    {
        list().setCurrentIndex(list().model()->index(line, 0));
        emit list().activated(list().currentIndex());
    }
    QTreeView& list() { return *named("Entries of the selected bar"); }
    /// Selected row, time range and cursor of the window, and selected line of the list (-1 if none). Pressing Enter on a line of the list
    /// changes all of them.
    struct Place {
        TrackRef row;
        TimeRange selection;
        Timestamp cursor;
        int line;
        bool operator==(const Place&) const = default;
    };
    Place place()
    {
        const TimeWindow& time = context.time();
        return {time.row(), time.selection(), time.cursor(), list().selectionModel()->hasSelection() ? list().currentIndex().row() : -1};
    }

    Navigator navigator{context};
};

} // namespace

class PieceStepsTest : public QObject {
    Q_OBJECT

private slots:
    void aStepIsWhatEnterOnItsLineIs()
    {
        Listed entered;
        entered.listAll();
        Listed stepped;
        stepped.listAll();
        // Starts at line 0. A step from the initial cursor might begin elsewhere, because two intervals begin at the cursor.
        stepped.enter(0);
        std::vector<TrackRef> rows;
        for (int line = 0; line < 80; ++line) {
            entered.enter(line);
            if (line > 0)
                stepped.navigator.stepHit(true);
            QVERIFY2(stepped.place() == entered.place(), qPrintable(QString::number(line)));
            QCOMPARE(stepped.place().line, line);
            QVERIFY(stepRange(stepped.context).isEmpty());
            if (std::ranges::find(rows, stepped.place().row) == rows.end())
                rows.push_back(stepped.place().row);
        }
        QCOMPARE(rows.size(), 2U); // The steps visited intervals in the rows of both threads.
        QSignalSpy remark(&stepped.navigator, &Navigator::remark);
        stepped.navigator.stepHit(true);
        QCOMPARE(remark.last().first().toString(), QString("No later hit"));
        for (int line = 78; line >= 70; --line) {
            stepped.navigator.stepHit(false);
            QCOMPARE(stepped.place().line, line);
        }
    }

    /// Property: a step selects an interval in the window, but the list keeps all 80 intervals. The list is not limited to the selected
    /// interval.
    void steppingDoesNotChangeTheRange()
    {
        Listed s;
        s.listAll();
        for (int i = 0; i < 3; ++i)
            s.navigator.stepHit(true);
        QTest::qWait(300); // Wait longer than the delay of a query.
        QCOMPARE(s.list().model()->rowCount(), 80);
        QVERIFY(s.pill("Whole trace"));
    }

    /// Property: a step selects an interval in the window, but the dock keeps the range that the user selected before, and the step stays
    /// in this range.
    void selectedRangeIsKeptWhileStepping()
    {
        Listed s;
        QTRY_COMPARE(s.intervalDurations().table().rowCount(), 4);
        s.context.time().setSelection({timestamp(5'000), timestamp(20'100)});
        QVERIFY(s.pill("Selected range"));
        QTRY_VERIFY(s.intervalDurations().table().line(0).lengths.count < 20);
        const auto count = s.intervalDurations().table().line(0).lengths.count;
        auto* chart = s.intervalDurations().findChild<DurationChart*>();
        QTRY_VERIFY(!chart->buckets().empty());
        chart->select(chart->buckets().size() - 1);
        QTRY_VERIFY(s.list().model()->rowCount() > 0);
        s.navigator.stepHit(true);
        QCOMPARE(s.place().line, 0);
        QTest::qWait(300);
        QVERIFY(s.pill("Selected range"));
        QCOMPARE(s.intervalDurations().table().line(0).lengths.count, count);
        QVERIFY(s.list().model()->rowCount() > 0);
    }

    void ofWhatWasSearchedForMeanwhileTheListHasNoLine()
    {
        Listed s;
        s.listAll();
        s.enter(0);
        s.navigator.stepHit(true);
        QCOMPARE(s.place().line, 1);
        s.context.hits().begin("name == \"x\"");
        s.context.hits().append({{1, timestamp(7'000), 0}}, 1);
        s.context.hits().finish(false);
        QCOMPARE(s.place().line, -1);
        s.context.time().setSelection({});
        s.navigator.stepHit(true);
        QCOMPARE(s.context.time().cursor(), timestamp(7'000));
        QCOMPARE(s.place().line, -1);
        QVERIFY(s.context.time().selection().isEmpty());
    }
};

HELIO_TEST(PieceStepsTest)
#include "tst_piece_steps.moc"
