// The Latency dock: choosing a kind of intervals (segments, network packets) besides calls.

#include "tests/support/made_intervals.h"
#include "tests/support/test_program.h"
#include "widgets/docks/durations/duration_chart.h"
#include "widgets/docks/durations/durations_dock_view.h"
#include "widgets/docks/durations/durations_view.h"
#include "widgets/paint/text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <numeric>

using namespace helio;

namespace {

struct Shown {
    explicit Shown(std::shared_ptr<const Timeline> timeline = MadeIntervals::make({"web", "db"}))
    {
        view.resize(1300, 260);
        context.time().setFull({timestamp(0), timestamp(50'000)});
        context.setTimeline(std::move(timeline));
        view.show();
    }
    IntervalDurationsView& intervalDurations() { return *view.findChild<IntervalDurationsView*>(); }
    const DurationTable& table() { return intervalDurations().table(); }
    DurationChart& chart() { return *intervalDurations().findChild<DurationChart*>(); }
    QTreeView* named(const char* name)
    {
        for (QTreeView* it : intervalDurations().findChildren<QTreeView*>())
            if (it->accessibleName() == QLatin1String(name))
                return it;
        return nullptr;
    }
    std::uint64_t inBuckets()
    {
        const auto& all = chart().buckets();
        return std::accumulate(all.begin(), all.end(), std::uint64_t(0),
                               [](std::uint64_t sum, const HistogramBucket& it) { return sum + it.count; });
    }

    ViewContext context;
    DurationsDockView view{context};
};

} // namespace

class KindDurationsTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: a request of another view selects its name, on the first host that has it, and searches it for periodicity.
    void aRequestSelectsItsNameAndFindsPeriodicity()
    {
        Shown s;
        QTRY_COMPARE(s.table().rowCount(), 4);
        s.context.showDurations({s.view.findChild<QComboBox*>()->currentData().toString(), "even", true});
        const QModelIndex chosen = s.named("Durations by name")->currentIndex();
        QVERIFY(chosen.isValid());
        QVERIFY(QString::fromStdString(s.table().line(chosen.row()).name).startsWith("even on "));
        QTRY_VERIFY(s.named("Periodicity found")->isVisible());
    }

    void withoutCallsTheFirstKindIsShown()
    {
        Shown s;
        auto* choice = s.view.findChild<QComboBox*>();
        QCOMPARE(choice->currentText(), QString("Turns"));
        QVERIFY(choice->isVisible() && s.intervalDurations().isVisible());
        QTRY_COMPARE(s.table().rowCount(), 4);
        QCOMPARE(s.table().headerData(DurationTable::Name, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Turn"));
        QCOMPARE(QString::fromStdString(s.table().line(0).name), QString("odd on db")); // Names are sorted by total time.
        QCOMPARE(s.table().data(s.table().index(0, DurationTable::Count)).toString(), QString("20"));
        QTRY_COMPARE(s.inBuckets(), std::uint64_t(20)); // The histogram appears without a selection.
    }

    /// Property: numbers are never cut, because a part of a number is another number.
    void numbersHaveTheRoomThatTheyNeed_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("chart"); // Minimum width of the chart as a fraction of the dock.
        QTest::newRow("narrow") << 860 << 0.43;
        QTest::newRow("wide") << 1300 << 0.48;
    }
    void numbersHaveTheRoomThatTheyNeed()
    {
        QFETCH(int, width);
        QFETCH(double, chart);
        Shown s;
        s.view.resize(width, 140);
        QTRY_COMPARE(s.table().rowCount(), 4);
        QTreeView* lines = s.named("Durations by name");
        const QHeaderView& header = *lines->header();
        const auto endOf = [&](int column) { return header.sectionViewportPosition(column) + header.sectionSize(column); };
        QTRY_VERIFY(lines->viewport()->width() >= endOf(DurationTable::LastUnscrolledColumn));
        for (const DurationTable::Column it :
             {DurationTable::Count, DurationTable::Median, DurationTable::P99, DurationTable::Most, DurationTable::Total})
            QVERIFY(endOf(it) <= endOf(DurationTable::LastUnscrolledColumn));
        // The column is hidden, because the 99.9th percentile of twenty intervals equals the maximum.
        QVERIFY(lines->isColumnHidden(DurationTable::P999));
        for (int column = DurationTable::Count; column < DurationTable::ColumnCount; ++column)
            for (int line = 0; line < s.table().rowCount() && !lines->isColumnHidden(column); ++line) {
                const QString text = s.table().data(s.table().index(line, column)).toString();
                QVERIFY2(lines->columnWidth(column) >= cachedTextWidth(lines->font(), text) + 10, qPrintable(text));
            }
        QVERIFY2(s.chart().width() >= chart * width, qPrintable(QString::number(s.chart().width())));
        QVERIFY2(s.chart().height() >= 80, qPrintable(QString::number(s.chart().height())));
    }

    /// Property: when the list of intervals appears, it gets a readable width. After that, all panes of the splitter keep their sizes.
    void theListHasItsRoomOnceAndKeepsIt()
    {
        Shown s;
        s.view.resize(860, 200);
        QTRY_COMPARE(s.table().rowCount(), 4);
        QTRY_VERIFY(s.inBuckets() > 0);
        auto* parts = s.intervalDurations().findChild<QSplitter*>();
        const QList<int> before = parts->sizes();
        auto* list = s.named("Entries of the selected bar");
        s.chart().select(s.chart().buckets().size() - 1);
        QTRY_VERIFY(!list->isHidden() && list->width() >= 250);
        const auto isWhole = [&](int line, int column) {
            const QString text = list->model()->index(line, column).data().toString();
            return list->columnWidth(column) >= cachedTextWidth(list->font(), text);
        };
        QTRY_VERIFY(list->model()->rowCount() > 0);
        QTest::qWait(50); // The list's width is computed from its first content and must not change afterwards.
        for (int column = 0; column < list->model()->columnCount(); ++column)
            QTRY_VERIFY(isWhole(0, column));
        const QList<int> with = parts->sizes();
        QVERIFY(with[1] > 200);
        auto* lines = s.named("Durations by name");
        // A column of numbers is visible only if it fits completely; names get the remaining width.
        int whole = 0;
        for (int column = DurationTable::Count; column <= DurationTable::LastUnscrolledColumn; ++column) {
            const int left = lines->header()->sectionViewportPosition(column);
            const int right = left + lines->header()->sectionSize(column);
            whole += right <= lines->viewport()->width();
            QVERIFY2(right <= lines->viewport()->width() || left >= lines->viewport()->width(), qPrintable(QString::number(column)));
        }
        QVERIFY(whole > 0 && whole < DurationTable::LastUnscrolledColumn - DurationTable::Count + 1);
        for (const char* name : {"even on web", "odd on db"}) {
            lines->setCurrentIndex(lines->model()->index(s.table().find(name), 0));
            QTest::qWait(50);
            QVERIFY(!list->isHidden());
            QCOMPARE(list->model()->rowCount(), 0); // The list is empty, because another name was selected.
            QCOMPARE(parts->sizes(), with);
            s.chart().select(s.chart().buckets().size() - 1);
            QTRY_VERIFY(list->model()->rowCount() > 0);
            QCOMPARE(parts->sizes(), with);
        }
        QTest::keyClick(&s.chart(), Qt::Key_Escape);
        QVERIFY(list->isHidden());
        QTRY_COMPARE(parts->sizes(), before);
    }

    /// Property: sizes that the user set are kept, separately with and without a list.
    void splitterSizesOfTheUserStay()
    {
        Shown s;
        s.view.resize(1000, 200);
        QTRY_COMPARE(s.table().rowCount(), 4);
        QTRY_VERIFY(s.inBuckets() > 0);
        auto* parts = s.intervalDurations().findChild<QSplitter*>();
        parts->setSizes({300, 700, 0});
        emit parts->splitterMoved(300, 1);
        const QList<int> own = parts->sizes();
        s.chart().select(s.chart().buckets().size() - 1);
        QTRY_VERIFY(parts->sizes()[2] >= 250);
        QTest::keyClick(&s.chart(), Qt::Key_Escape);
        QTRY_COMPARE(parts->sizes(), own);
    }

    void aLineThatIsChosenHasItsHistogram()
    {
        Shown s;
        QTRY_COMPARE(s.table().rowCount(), 4);
        QTRY_VERIFY(s.inBuckets() > 0);
        auto* lines = s.named("Durations by name");
        lines->setCurrentIndex(lines->model()->index(s.table().find("even on web"), 0));
        QTRY_VERIFY(!s.chart().buckets().empty() && s.chart().buckets().front().from == Duration(MadeIntervals::lengthOf(0, 0)));
        QCOMPARE(s.inBuckets(), std::uint64_t(20));
    }

    void aBarListsWhatIsInItAndALineGoesThere()
    {
        Shown s;
        QTRY_COMPARE(s.table().rowCount(), 4);
        QTRY_VERIFY(s.inBuckets() > 0);
        auto* list = s.named("Entries of the selected bar");
        QVERIFY(list->isHidden());
        const auto& buckets = s.chart().buckets();
        const auto last = buckets.size() - 1;
        QVERIFY(buckets[last].count > 0);
        s.chart().select(last);
        QVERIFY(!list->isHidden());
        QTRY_COMPARE(std::uint64_t(list->model()->rowCount()), buckets[last].count);
        emit list->clicked(list->model()->index(int(buckets[last].count) - 1, 0));
        QCOMPARE(nanoseconds(s.context.time().cursor()), std::int64_t(39'000)); // Beginning of the longest odd interval.
        QVERIFY(s.context.time().row() == MadeIntervals::row(1));
        QCOMPARE(s.context.time().selection().duration(), Duration(MadeIntervals::lengthOf(1, 39)));
    }

    /// Input: a timeline of the same stores, as with a critical path. Property: the bar, its list and its marks stay.
    void aTimelineWithTheSameIntervalsKeepsTheBar()
    {
        Shown s;
        QTRY_COMPARE(s.table().rowCount(), 4);
        QTRY_VERIFY(s.inBuckets() > 0);
        const auto last = s.chart().buckets().size() - 1;
        const std::uint64_t count = s.chart().buckets()[last].count;
        s.chart().select(last);
        QTRY_COMPARE(std::uint64_t(s.intervalDurations().listed().rowCount()), count);
        QCOMPARE(std::uint64_t(s.context.hits().hits().size()), count);
        s.context.setTimeline(std::make_shared<const Timeline>(*s.context.timeline()));
        QTest::qWait(300); // Waits longer than the delay before a query, so that a new query would have started.
        QCOMPARE(s.chart().selected(), std::optional(last));
        QCOMPARE(std::uint64_t(s.intervalDurations().listed().rowCount()), count);
        QCOMPARE(std::uint64_t(s.context.hits().hits().size()), count);
    }

    void columnsSort()
    {
        Shown s;
        QTRY_COMPARE(s.table().rowCount(), 4);
        auto* lines = s.named("Durations by name");
        lines->sortByColumn(DurationTable::Name, Qt::AscendingOrder);
        QCOMPARE(QString::fromStdString(s.table().line(0).name), QString("even on db"));
        lines->sortByColumn(DurationTable::Least, Qt::AscendingOrder);
        QCOMPARE(QString::fromStdString(s.table().line(0).name), QString("even on web"));
    }

    /// Property: until the user chooses a kind, the first kind with intervals is shown; a kind without intervals says which events to
    /// record.
    void theFirstKindThatHasAnyIsShown()
    {
        Shown s(MadeIntervals::make({"web"}, true));
        auto* choice = s.view.findChild<QComboBox*>();
        QTRY_COMPARE(choice->currentText(), QString("Turns"));
        QTRY_COMPARE(s.table().rowCount(), 2);
        QVERIFY(s.chart().isVisible() && !s.view.save().contains("kind"));
        s.context.setTimeline(MadeIntervals::make({"web", "db"}, true)); // Simulates progress of the indexing.
        QTRY_COMPARE(s.table().rowCount(), 4);
        QCOMPARE(choice->currentText(), QString("Turns"));

        const int breaks = choice->findText("Breaks");
        QVERIFY(breaks >= 0);
        choice->setCurrentIndex(breaks);
        emit choice->activated(breaks);
        const auto saysWhy = [&] {
            const auto labels = s.intervalDurations().findChildren<QLabel*>();
            return std::ranges::any_of(labels, [](const QLabel* it) {
                return it->isVisible() && it->text() == "break_begin was not recorded; record them with: record -e break_begin";
            });
        };
        QTRY_VERIFY(saysWhy());
        QTest::qWait(50);
        QCOMPARE(choice->currentText(), QString("Breaks"));
        QVERIFY(!s.chart().isVisible());
        const int turns = choice->findText("Turns");
        choice->setCurrentIndex(turns);
        emit choice->activated(turns);
        QTRY_VERIFY(s.chart().isVisible() && s.table().rowCount() == 4);
        QVERIFY(!saysWhy());
    }

    void withoutAnyTheCallsSayWhatRecordsThem()
    {
        Shown s(std::make_shared<const Timeline>());
        QVERIFY(!s.view.findChild<QComboBox*>()->isVisible());
        const auto labels = s.view.findChildren<QLabel*>();
        const auto says = [](const QLabel* it) { return it->isVisible() && it->text() == "No function calls were recorded"; };
        QTRY_VERIFY(std::ranges::any_of(labels, says));
    }

    void theChoiceIsKept()
    {
        Shown s;
        auto* choice = s.view.findChild<QComboBox*>();
        emit choice->activated(0);
        const QJsonObject kept = s.view.save();
        QCOMPARE(kept["kind"].toString(), QString("turns"));
        Shown other;
        other.view.restore(kept);
        QCOMPARE(other.view.save(), kept);
        other.view.restore({{"kind", 5}});
        QVERIFY(!other.view.save().contains("kind"));
    }
};

HELIO_TEST(KindDurationsTest)
#include "tst_kind_durations.moc"
