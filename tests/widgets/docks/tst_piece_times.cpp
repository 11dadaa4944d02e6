// The Latency dock: scatter plot, density plot and periods; their drawing, selection, list and marks.

#include "tests/support/test_program.h"
#include "tests/widgets/docks/shown_durations.h"
#include "widgets/docks/durations/duration_chart.h"
#include "widgets/docks/durations/event_pair_dialog.h"
#include "widgets/theme/themes.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QJsonObject>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace helio;

namespace {

using Shape = IntervalDurationsView::Shape;

using Shown = test::ShownDurations;

/// Makes disk requests on a row that is in no view. A request has the TID and the name of its thread, only the TID, or no TID.
std::shared_ptr<Timeline> madeRequests()
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    Track slot;
    slot.view = "control-flow";
    slot.key = "slot:0";
    slot.label = "slot 0";
    slot.states = *builder->stateSet(test::statesNamed("thread", MadeTimeline::ThreadStates));
    const TrackId row = builder->addTrack(slot);
    SegmentKind kind{"requests", "Requests", "Operation"};
    kind.hasFields = true;
    const auto requests = *builder->segments().addKind(kind);
    std::int64_t begin = 0;
    for (const char* fields : {"bytes=512;tid=412;comm=dd", "tid=7", "tid=412;comm=dd", "comm=idle", "tid=8;comm=kworker/u8\\;2"}) {
        HostSegment it;
        it.begin = hostTime(begin += 1000);
        it.end = it.begin + Duration(100);
        it.name = builder->string("read");
        it.value = std::int64_t(builder->string(fields));
        it.track = row;
        it.kind = requests;
        builder->segments().add(it);
    }
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(50'000)};
    auto timeline = std::make_shared<Timeline>();
    addTrace(*timeline, {*builder->finish(summary), std::make_shared<MadeTrace>(), {}, "host"});
    timeline->isComplete = true;
    return timeline;
}

} // namespace

class PieceTimesTest : public QObject {
    Q_OBJECT

private slots:
    void timesAreThoseOfTheChosenNameOrOfAll()
    {
        Shown s;
        QTRY_COMPARE(s.intervalDurations().table().rowCount(), 4);
        QVERIFY(!s.times().isVisible());
        s.intervalDurations().setShape(Shape::Scatter);
        QVERIFY(s.times().isVisible());
        QTRY_VERIFY(s.times().grid() && s.times().grid()->count == 20);
        s.pill("All names")->click();
        QTRY_COMPARE(s.times().grid()->count, std::uint64_t(80));
        s.intervalDurations().setShape(Shape::Density);
        QCOMPARE(s.times().shape(), ScatterChart::Shape::Density);
        s.intervalDurations().setShape(Shape::Histogram);
        QVERIFY(!s.times().isVisible() && s.intervalDurations().findChild<DurationChart*>()->isVisible());
    }

    /// Property: every grid cell that contains intervals is visible in the picture, in both shapes (scatter, density) and in both themes.
    void everyCellThatHasAnyIsDrawn()
    {
        Shown s;
        QTRY_COMPARE(s.intervalDurations().table().rowCount(), 4);
        for (const Theme::Kind kind : {Theme::Kind::Light, Theme::Kind::Dark})
            for (const Shape shape : {Shape::Scatter, Shape::Density}) {
                Themes::instance().setTheme(kind);
                s.intervalDurations().setShape(shape);
                QTRY_VERIFY(s.times().grid() && s.times().grid()->count == 20);
                const QImage image = s.times().grab().toImage();
                const QRgb ground = theme().color("surface.panel").rgb();
                const DensityGridScale& scale = s.times().grid()->scale;
                int seen = 0;
                for (std::uint32_t row = 0; row < scale.rows; ++row)
                    for (std::uint32_t column = 0; column < scale.columns; ++column)
                        if (s.times().grid()->at(column, row).count > 0) {
                            const QPoint middle = s.times().cellRect(column, row).center().toPoint();
                            QVERIFY(image.pixel(middle) != ground);
                            ++seen;
                        }
                QVERIFY(seen > 10);
            }
    }

    void whatIsDraggedOverIsListedAndMarked()
    {
        Shown s;
        QTRY_COMPARE(s.intervalDurations().table().rowCount(), 4);
        s.intervalDurations().setShape(Shape::Scatter);
        QTRY_VERIFY(s.times().grid() && s.times().grid()->count == 20);
        QTreeView* list = s.named("Entries of the selected bar");
        QVERIFY(list->isHidden());
        const DensityGridScale scale = s.times().grid()->scale;
        s.drag(s.times().cellRect(0, scale.rows - 1).topLeft(), s.times().cellRect(scale.columns / 2 - 1, 0).bottomRight());
        const auto area = s.times().selected();
        QVERIFY(area.has_value());
        std::uint64_t expected = 0;
        const std::string name = s.intervalDurations().table().line(0).name;
        forEachInterval(s.context.timeline(), {"turns"}, [&](const NamedInterval& it) {
            expected += it.name == name && area->times.contains(it.range.begin) && it.range.duration() >= area->from
                && it.range.duration() < area->to;
        });
        QVERIFY(expected > 3 && expected < 20);
        QTRY_COMPARE(std::uint64_t(list->model()->rowCount()), expected);
        QVERIFY(!list->isHidden());
        QCOMPARE(std::uint64_t(s.context.hits().hits().size()), expected);
        QTest::keyClick(&s.times(), Qt::Key_Escape);
        QVERIFY(!s.times().selected() && list->isHidden());
        QVERIFY(s.context.hits().hits().empty());
    }

    /// Property: the selection is the area that the user dragged over, although the chart gets smaller when the list opens.
    void theFirstRectangleIsWhatWasDraggedOver()
    {
        for (const Shape shape : {Shape::Scatter, Shape::Density}) {
            Shown s;
            QTRY_COMPARE(s.intervalDurations().table().rowCount(), 4);
            s.intervalDurations().setShape(shape);
            QTRY_VERIFY(s.times().grid() && s.times().grid()->count == 20);
            const DensityGridScale scale = s.times().grid()->scale;
            const std::uint32_t columns[] = {scale.columns * 6 / 10, scale.columns * 9 / 10};
            const std::uint32_t rows[] = {scale.rows / 4, scale.rows * 3 / 4};
            const QPointF from = s.times().cellRect(columns[0], rows[1]).center(), to = s.times().cellRect(columns[1], rows[0]).center();
            const int wide = s.times().width();
            QTest::mousePress(&s.times(), Qt::LeftButton, {}, from.toPoint());
            for (const double share : {0.02, 0.3, 0.7, 1.0}) {
                QTest::mouseMove(&s.times(), (from + share * (to - from)).toPoint());
                QTest::qWait(20); // Processes the layout, which is deferred until the program is idle.
            }
            QTest::mouseRelease(&s.times(), Qt::LeftButton, {}, to.toPoint());
            QTRY_VERIFY(s.times().width() < wide);
            const auto area = s.times().selected();
            QVERIFY(area.has_value());
            // The result may differ by 2 cells, because the mouse only selects whole pixels, and a pixel is about as large as a cell.
            const auto isNear = [](double value, double expected) { return std::abs(value - expected) <= 2; };
            QVERIFY(isNear(scale.columnAt(area->times.begin), columns[0]) && isNear(scale.columnAt(area->times.end), columns[1] + 1));
            QVERIFY(isNear(scale.rowAt(area->from), rows[0]) && isNear(scale.rowAt(area->to), rows[1] + 1));
        }
    }

    /// Property: a drag from one corner of the chart to the opposite corner selects all intervals.
    void allCanBeSelected()
    {
        Shown s;
        QTRY_COMPARE(s.intervalDurations().table().rowCount(), 4);
        s.intervalDurations().setShape(Shape::Density);
        QTRY_VERIFY(s.times().grid() && s.times().grid()->count == 20);
        const DensityGridScale scale = s.times().grid()->scale;
        s.drag(s.times().cellRect(0, scale.rows - 1).topLeft(), s.times().cellRect(scale.columns - 1, 0).bottomRight());
        QTRY_COMPARE(s.named("Entries of the selected bar")->model()->rowCount(), 20);
        s.pill("Log X")->click(); // With a logarithmic scale, the selected durations are at another position, so the selection is removed.
        QTRY_VERIFY(!s.times().selected());
    }

    void requestsAreListedWithWhoseTheyWere()
    {
        Shown s(madeRequests());
        auto& chart = *s.intervalDurations().findChild<DurationChart*>();
        QTRY_VERIFY(!chart.buckets().empty());
        const auto any = std::ranges::find_if(chart.buckets(), [](const HistogramBucket& it) { return it.count == 5; });
        QVERIFY(any != chart.buckets().end());
        chart.select(std::size_t(any - chart.buckets().begin()));
        const QAbstractItemModel& list = *s.named("Entries of the selected bar")->model();
        QTRY_COMPARE(list.rowCount(), 5);
        QStringList threads;
        for (int line = 0; line < 5; ++line)
            threads << list.index(line, CallListModel::Thread).data().toString();
        QCOMPARE(threads, QStringList({"dd 412", "thread 7", "dd 412", QChar(0x2013), "kworker/u8;2 8"}));
    }

    void aBarIsMarkedToo()
    {
        Shown s;
        auto& chart = *s.intervalDurations().findChild<DurationChart*>();
        QTRY_VERIFY(!chart.buckets().empty());
        chart.select(chart.buckets().size() - 1);
        QTRY_COMPARE(std::uint64_t(s.context.hits().hits().size()), chart.buckets().back().count);
        chart.select({});
        QVERIFY(s.context.hits().hits().empty());
    }

    /// Input: 20 intervals that begin every 2 µs and end every 2.04 µs, because each interval is 40 ns longer than the one before.
    /// Property: only one of the two periods is reported, because 20 intervals are too few to tell both apart.
    void periodsAreFoundAndTheirInstancesMarked()
    {
        Shown s;
        QTRY_COMPARE(s.intervalDurations().table().rowCount(), 4);
        QTreeView* periods = s.named("Periodicity found");
        QVERIFY(periods->isHidden());
        s.pill("Find periodicity")->click();
        QTRY_VERIFY(!s.intervalDurations().periods().empty());
        QTRY_VERIFY(!periods->isHidden());
        const auto isOfAll = [](const Periodicity& it) {
            return std::abs(it.found.period - (it.of == PeriodicProperty::Begins ? 2000 : 2040)) < 5 && it.found.count == 20;
        };
        QCOMPARE(std::ranges::count_if(s.intervalDurations().periods(), isOfAll), 1);
        QVERIFY(periods->model()->index(0, 0).data().toString().startsWith("Period 2"));
        emit periods->clicked(periods->model()->index(0, 0));
        QTRY_COMPARE(s.named("Entries of the selected bar")->model()->rowCount(), 20);
        QCOMPARE(s.context.hits().hits().size(), 20U);
        s.pill("Find periodicity")->click();
        QVERIFY(periods->isHidden() && s.intervalDurations().periods().empty());
    }

    void ofAFewItIsSaidThatTheyAreTooFew()
    {
        Shown s;
        QTRY_COMPARE(s.intervalDurations().table().rowCount(), 4);
        s.context.time().setSelection({timestamp(0), timestamp(8'000)}); // This range has four intervals of each name.
        QTRY_COMPARE(s.intervalDurations().table().line(0).lengths.count, std::uint64_t(4));
        s.pill("Find periodicity")->click();
        QTreeView* periods = s.named("Periodicity found");
        QTRY_COMPARE(periods->model()->index(0, 0).data().toString(), QString("Only 4 intervals: too few to find a period."));
    }

    /// Property: if a field is chosen for the first event of a pair, the dialog proposes this field for the second event.
    void aPairOfEventsIsAskedFor()
    {
        EventPairDialog dialog(
            {{"block_rq_complete", {"dev", "sector"}}, {"block_rq_issue", {"dev", "sector"}}, {"sched_switch", {"next_tid"}}}, {});
        const auto named = [&](const QString& name) {
            const auto all = dialog.findChildren<QComboBox*>();
            return *std::ranges::find(all, name, &QComboBox::accessibleName);
        };
        auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QVERIFY(!dialog.pair() && !ok->isEnabled());
        named("First event")->setCurrentText("block_rq_issue");
        named("Field of the first event")->setCurrentText("sector");
        QVERIFY(!dialog.pair());
        named("Second event")->setCurrentText("block_rq_complete");
        QVERIFY(dialog.pair().has_value() && ok->isEnabled());
        QCOMPARE(textOf(*dialog.pair()), std::string("block_rq_issue(sector) -> block_rq_complete(sector)"));
        named("Second event")->setCurrentText("nothing");
        QVERIFY(!dialog.pair() && !ok->isEnabled());
    }

    void aPairIsKeptWithTheSession()
    {
        Shown s;
        const QString pair = "block_rq_issue(sector) -> block_rq_complete(sector)";
        s.view.restore({{"kind", pair}, {"pair", pair}});
        QCOMPARE(s.view.save()["pair"].toString(), pair);
        QCOMPARE(s.view.save()["kind"].toString(), pair);
        // These traces do not have the events of the pair, so the view shows its default kind, "Turns".
        QCOMPARE(s.view.findChild<QComboBox*>()->currentText(), QString("Turns"));
    }

    void theShapeIsKept()
    {
        Shown s;
        s.intervalDurations().setShape(Shape::Density);
        const QJsonObject kept = s.view.save();
        Shown other;
        other.view.restore(kept);
        QCOMPARE(other.intervalDurations().shape(), Shape::Density);
        other.view.restore({});
        QCOMPARE(other.intervalDurations().shape(), Shape::Histogram);
    }
};

HELIO_TEST(PieceTimesTest)
#include "tst_piece_times.moc"
