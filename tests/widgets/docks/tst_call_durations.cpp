// Tests the Latency dock for calls: which function it shows, how many calls each bar counts, and where a click on a bar or a call leads.

#include "core/profiling/calls/call_names.h"
#include "core/query/rows/facts.h"
#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"
#include "widgets/docks/durations/duration_chart.h"
#include "widgets/docks/durations/durations_dock_view.h"
#include "widgets/docks/durations/durations_view.h"
#include "widgets/docks/durations/interval_marks.h"
#include "widgets/docks/durations/scatter_chart.h"
#include "widgets/docks/events/search_view.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/theme/themes.h"
#include "widgets/workspace/go_to.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <limits>
#include <set>

using namespace helio;
using namespace helio::test;

namespace {

constexpr int Times = 40; ///< Number of calls of f; each is 10 ns longer than the one before.
constexpr std::int64_t Apart = 1000;

std::int64_t lengthOfCall(int i) { return 10 + 10 * i; }

/// Beginning of call i in ns. Odd calls are in thread 101, even ones in thread 100. After them comes one more call, of 5000 ns.
std::int64_t beginOfCall(int i) { return 1000 + Apart * i; }

int threadOfCall(std::int64_t begin) { return 100 + int((begin - beginOfCall(0)) / Apart) % 2; }

/// Makes the timeline. In thread 100, g is called once before all calls of f.
std::shared_ptr<const Timeline> madeTimeline(int times = Times)
{
    CallScript script;
    script.call(100, 100, "g").ret(400, 100, "g");
    for (int i = 0; i < times; ++i)
        script.call(beginOfCall(i), 100 + i % 2, "f").ret(beginOfCall(i) + lengthOfCall(i), 100 + i % 2, "f");
    script.call(beginOfCall(times), 100, "f").ret(beginOfCall(times) + 5000, 100, "f");
    script.run(60'000);
    auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(2));
    timeline->stores.push_back({0, script.sharedStore()});
    timeline->range = {timestamp(0), timestamp(60'000)};
    return timeline;
}

/// Replaces thin spaces by normal spaces.
QString plain(QString text) { return text.replace(QChar(0x2009), u' ').replace(QChar(0x202f), u' ').replace(QChar(0xa0), u' '); }

/// The Latency dock in a window on the synthetic calls.
struct Shown {
    Shown()
    {
        context.time().setFull(rangeOf(*timeline));
        context.setTimeFormat({TimeFormat::Mode::Utc});
        context.setTimeline(timeline);
        view.resize(1000, 260);
        view.show();
    }

    TrackRef row(const char* key) const
    {
        const auto tracks = timeline->stores.back().store->tracks();
        const auto found = std::ranges::find(tracks, key, &Track::key);
        return {StoreIndex{1}, TrackId(found - tracks.begin())};
    }
    void goTo(const char* row_, std::int64_t at)
    {
        context.time().setRow(row(row_));
        context.time().setCursor(timestamp(at));
    }
    DurationChart& chart() { return *view.findChild<DurationChart*>(); }
    const IntervalDurationsView& intervalDurations() { return *view.findChild<IntervalDurationsView*>(); }
    const CallListModel& listed() { return intervalDurations().listed(); }
    QTreeView& list()
    {
        const auto all = view.findChildren<QTreeView*>();
        return **std::ranges::find(all, "Entries of the selected bar", &QTreeView::accessibleName);
    }
    QStringList texts()
    {
        QStringList all;
        for (const QLabel* label : view.findChildren<QLabel*>())
            if (label->isVisibleTo(&view) && !label->text().isEmpty())
                all << plain(label->text());
        return all;
    }
    bool says(const QString& text) { return texts().contains(text); }
    /// True if the dock shows this function and this number of calls.
    bool shows(const QString& function, int calls)
    {
        const DurationTable& table = intervalDurations().table();
        return says(function) && table.rowCount() == 1 && table.line(0).lengths.count == std::uint64_t(calls);
    }
    bool waitForF()
    {
        return QTest::qWaitFor([&] { return shows("f", 41); });
    }

    /// Index of the bucket for calls of this duration.
    std::size_t bucketOf(std::int64_t ns)
    {
        const auto& all = chart().buckets();
        const auto after = std::ranges::upper_bound(all, Duration(ns), {}, &HistogramBucket::from);
        return std::size_t(after - all.begin()) - 1;
    }
    void click(std::size_t bucket)
    {
        const QRectF column = chart().columnOf(bucket);
        QTest::mouseClick(&chart(), Qt::LeftButton, {}, QPointF(column.center().x(), column.bottom() - 1).toPoint());
    }
    /// Beginnings of the synthetic calls whose durations are in a bucket, sorted.
    static std::vector<std::int64_t> beginsIn(const HistogramBucket& bucket)
    {
        std::vector<std::int64_t> begins;
        for (int i = 0; i <= Times; ++i)
            if (const Duration length(i < Times ? lengthOfCall(i) : 5000); length >= bucket.from && length < bucket.to)
                begins.push_back(beginOfCall(i));
        return begins;
    }
    std::vector<std::int64_t> hits() const
    {
        std::vector<std::int64_t> times;
        for (const EventHit& hit : context.hits().hits())
            times.push_back(nanoseconds(hit.time));
        return times;
    }
    QToolButton* button(const QString& name)
    {
        for (QToolButton* it : view.findChildren<QToolButton*>())
            if (it->accessibleName() == name)
                return it;
        return nullptr;
    }

    std::shared_ptr<const Timeline> timeline = madeTimeline();
    mutable ViewContext context;
    DurationsDockView view{context};
};

} // namespace

class CallDurationsTest : public QObject {
    Q_OBJECT

private slots:
    void nothingSelectedSaysWhatToDo()
    {
        Shown s;
        QVERIFY(s.says("Select a call in a call stack panel or a function in the Functions dock"));
    }

    void aTraceWithoutCallsSaysSo()
    {
        ViewContext context;
        IntervalDurationsView view(context);
        view.setKind(IntervalDurationsView::callsOfFunction());
        view.show();
        context.setTimeline(MadeTimeline::make(2));
        QTRY_VERIFY(std::ranges::any_of(view.findChildren<QLabel*>(),
                                        [](const QLabel* it) { return it->text() == "No function calls were recorded"; }));
    }

    void itShowsTheFunctionOfTheCallAtTheCursor()
    {
        Shown s;
        s.goTo("calls:100/1", 1005);
        QVERIFY2(s.waitForF(), qPrintable(s.texts().join(" | ")));
        s.context.time().setCursor(timestamp(900)); // No call is open at this time: the dock keeps its function.
        QTest::qWait(200);
        QVERIFY(s.says("f"));
        s.context.time().setCursor(timestamp(200));
        QTRY_VERIFY(s.shows("g", 1));
    }

    void itCountsAgainWhenTheTraceWasReadFurther()
    {
        Shown s;
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        s.context.time().setCursor(timestamp(900)); // No call is open at 900 ns.
        s.context.setTimeline(madeTimeline(2));
        QTRY_VERIFY(s.shows("f", 3));
        s.context.setTimeline(nullptr);
        QTRY_VERIFY(s.says("Select a call in a call stack panel or a function in the Functions dock"));
    }

    void itShowsTheFunctionThatWasChosenElsewhereUntilACallIsSelected()
    {
        Shown s;
        QTRY_VERIFY(SampleModel::of(s.context).isOfCalls());
        const CallNames names(*s.timeline);
        const auto& all = names.functions();
        const auto g = std::ranges::find(all, "g", &SampledFunction::name);
        QVERIFY(g != all.end());
        SampleModel::of(s.context).chooseFunction(*g);
        QTRY_VERIFY(s.shows("g", 1));
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
    }

    void barsCountTheCallsOfTheirLengths_data()
    {
        QTest::addColumn<QString>("scale");
        QTest::newRow("logarithmic") << "logarithmic";
        QTest::newRow("linear") << "linear";
    }
    void barsCountTheCallsOfTheirLengths()
    {
        QFETCH(QString, scale);
        Shown s;
        s.view.restore({{"lengths", scale}});
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        const auto& buckets = s.chart().buckets();
        std::uint64_t sum = 0;
        for (const HistogramBucket& it : buckets) {
            QCOMPARE(it.count, s.beginsIn(it).size());
            sum += it.count;
        }
        QCOMPARE(sum, std::uint64_t(Times + 1));
        const Duration firstWidth = buckets.front().to - buckets.front().from;
        const Duration lastWidth = buckets.back().to - buckets.back().from;
        QCOMPARE(lastWidth > 10 * firstWidth, scale == "logarithmic");
        QCOMPARE(plain(s.chart().tipOf(s.bucketOf(5000))).section(": ", 1), "1 call");
    }

    void aClickListsTheCallsOfTheBarAndMarksThem()
    {
        Shown s;
        s.view.restore({{"lengths", "linear"}});
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        QVERIFY(!s.list().isVisible());
        const std::size_t bucket = s.bucketOf(100);
        const auto expected = s.beginsIn(s.chart().buckets()[bucket]);
        QVERIFY(expected.size() > 3);
        s.click(bucket);
        QTRY_COMPARE(s.listed().rowCount(), int(expected.size()));
        QCOMPARE(s.chart().selected(), std::optional(bucket));
        QVERIFY(s.list().isVisible());
        QCOMPARE(s.hits(), expected);
        for (int line = 0; line < int(expected.size()); ++line) {
            const std::int64_t begin = expected[std::size_t(line)];
            const int call = int((begin - beginOfCall(0)) / Apart);
            const auto cell = [&](CallListModel::Column column) { return plain(s.listed().index(line, column).data().toString()); };
            QCOMPARE(cell(CallListModel::Begin),
                     QString("00:00:00.000 %1 %2").arg(begin / 1000, 3, 10, QChar('0')).arg(begin % 1000, 3, 10, QChar('0')));
            QCOMPARE(cell(CallListModel::Length), QString("%1 ns").arg(lengthOfCall(call)));
            QCOMPARE(cell(CallListModel::Thread), QString("prog %1").arg(threadOfCall(begin)));
        }
        s.click(s.bucketOf(3000)); // This bucket has no calls.
        QCOMPARE(s.chart().selected(), std::optional<std::size_t>());
        QVERIFY(s.hits().empty());
        QCOMPARE(s.listed().rowCount(), 0);
    }

    void theListIsSortedByEachColumn()
    {
        Shown s;
        s.view.restore({{"lengths", "linear"}});
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        s.click(s.bucketOf(100));
        QTRY_VERIFY(s.listed().rowCount() > 3);
        const std::size_t last = std::size_t(s.listed().rowCount()) - 1;
        s.list().sortByColumn(CallListModel::Length, Qt::DescendingOrder);
        QCOMPARE(s.listed().callAt(0), last); // The last call is the longest, so it comes first.
        s.list().sortByColumn(CallListModel::Thread, Qt::AscendingOrder);
        const auto begins = s.beginsIn(s.chart().buckets()[s.bucketOf(100)]);
        std::vector<std::size_t> expected; // Expected order of the listed calls: thread by thread.
        for (const int tid : {100, 101})
            for (std::size_t i = 0; i < begins.size(); ++i)
                if (threadOfCall(begins[i]) == tid)
                    expected.push_back(i);
        for (std::size_t line = 0; line <= last; ++line) {
            QCOMPARE(s.listed().callAt(int(line)), expected[line]);
            QCOMPARE(s.listed().lineOf(expected[line]), int(line));
        }
    }

    void choosingACallGoesThere()
    {
        Shown s;
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        s.click(s.bucketOf(5000));
        QTRY_COMPARE(s.listed().rowCount(), 1);
        emit s.list().clicked(s.listed().index(0, 0));
        QCOMPARE(s.context.time().cursor(), timestamp(beginOfCall(Times)));
        QCOMPARE(s.context.time().selection(), TimeRange({timestamp(beginOfCall(Times)), timestamp(beginOfCall(Times) + 5000)}));
        QCOMPARE(s.context.hits().current(), std::optional<std::size_t>(0));
        s.context.time().back();
        QCOMPARE(s.context.time().cursor(), timestamp(1005));
        QCOMPARE(s.chart().selected(), std::optional(s.bucketOf(5000))); // The dock keeps its function and its selection.
    }

    void buttonsLeadFromCallToCall()
    {
        Shown s;
        s.view.restore({{"lengths", "linear"}});
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        const std::size_t bucket = s.bucketOf(100);
        const auto expected = s.beginsIn(s.chart().buckets()[bucket]);
        s.click(bucket);
        QTRY_COMPARE(s.listed().rowCount(), int(expected.size()));
        QToolButton* const next = s.button("Next call in this bar");
        QToolButton* const previous = s.button("Previous call in this bar");
        next->click();
        next->click();
        QCOMPARE(s.context.time().cursor(), timestamp(expected[1]));
        QCOMPARE(s.context.time().row(), s.row(threadOfCall(expected[1]) == 100 ? "calls:100/1" : "calls:101/1"));
        QVERIFY(s.says(QString("2 of %1").arg(expected.size())));
        QCOMPARE(s.list().currentIndex().row(), 1);
        previous->click();
        QCOMPARE(s.context.time().cursor(), timestamp(expected[0]));
        QVERIFY(!previous->isEnabled());
    }

    void allCallsOfABarComeIntoView()
    {
        Shown s;
        s.view.restore({{"lengths", "linear"}});
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        s.click(s.bucketOf(400));
        const auto expected = s.beginsIn(s.chart().buckets()[s.bucketOf(400)]);
        QTRY_COMPARE(s.listed().rowCount(), int(expected.size()));
        s.view.findChild<QPushButton*>("show-all")->click();
        const TimeRange visible = s.context.time().visible();
        QVERIFY(visible.begin <= timestamp(expected.front()) && visible.begin > timestamp(expected.front() - Apart));
        QVERIFY(visible.end >= timestamp(expected.back() + 400) && visible.end < timestamp(expected.back() + 400 + Apart));
    }

    void anotherFunctionTakesTheMarksAway()
    {
        Shown s;
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        s.click(s.bucketOf(5000));
        QTRY_COMPARE(s.hits().size(), std::size_t(1));
        s.goTo("calls:100/1", 200);
        QTRY_VERIFY(s.says("g"));
        QVERIFY(s.hits().empty());
    }

    void anotherSearchIsNotTakenAway()
    {
        Shown s;
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        s.click(s.bucketOf(5000));
        QTRY_COMPARE(s.hits().size(), std::size_t(1));
        s.context.hits().begin("another");
        s.context.hits().append({{7, timestamp(3), 0}}, 1);
        s.context.hits().finish(false);
        QTest::keyClick(&s.chart(), Qt::Key_Escape);
        QCOMPARE(s.chart().selected(), std::optional<std::size_t>());
        QCOMPARE(s.hits(), std::vector<std::int64_t>{3});
    }

    void arrowKeysSkipBarsWithoutCalls()
    {
        Shown s;
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        QTest::keyClick(&s.chart(), Qt::Key_Left);
        QCOMPARE(s.chart().selected(), std::optional(s.bucketOf(5000)));
        QTest::keyClick(&s.chart(), Qt::Key_Left);
        QCOMPARE(s.chart().selected(), std::optional(s.bucketOf(400)));
        QTest::keyClick(&s.chart(), Qt::Key_Right);
        QCOMPARE(s.chart().selected(), std::optional(s.bucketOf(5000)));
    }

    void theSearchThatTheMarksAreCalledFindsTheSameCalls()
    {
        Shown s;
        SearchView search(s.context);
        s.view.restore({{"lengths", "linear"}});
        s.goTo("calls:100/1", 1005);
        QVERIFY(s.waitForF());
        s.click(s.bucketOf(100));
        QTRY_VERIFY(s.hits().size() > 3);
        const auto marked = s.hits();
        const QString text = s.context.hits().text();
        const auto labels = search.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* it) {
            return it->text() == QString("%1 marked; Enter lists them here").arg(marked.size());
        })); // The hits are called "marked" instead of "events", because a click on the chart marked them.
        QSignalSpy begun(&s.context.hits(), &SearchHits::begun);
        s.context.search(text);
        QTRY_COMPARE(begun.count(), 1);
        QTRY_VERIFY(s.context.hits().isComplete());
        QCOMPARE(s.hits(), marked);
    }

    void choicesAreKept()
    {
        Shown s;
        const auto isKept = [&](const char* lengths, const char* heights) {
            const QJsonObject kept = s.view.save();
            return kept["lengths"] == lengths && kept["heights"] == heights;
        };
        QVERIFY(isKept("logarithmic", "logarithmic"));
        s.view.restore({{"lengths", "linear"}, {"heights", "linear"}});
        QVERIFY(isKept("linear", "linear"));
        s.view.restore({{"lengths", 7}});
        QVERIFY(isKept("logarithmic", "logarithmic"));
    }

    void barsAreAsHighAsTheirCounts()
    {
        DurationChart chart;
        chart.resize(400, 200);
        chart.setLogarithmicHeights(false);
        chart.setBuckets({{Duration(10), Duration(20), 8}, {Duration(20), Duration(30), 0}, {Duration(30), Duration(40), 4}},
                         summarizeDurations({11, 11, 11, 11, 11, 11, 11, 11, 31, 31, 31, 31}), false);
        const QImage image = chart.grab().toImage();
        const QColor bar = theme().color("mark.bookmark");
        const auto topOf = [&](std::size_t bucket) {
            // A column near the right edge of the bar, away from the dotted lines at the median and p99.
            const int x = int(chart.columnOf(bucket).right()) - 3;
            for (int y = 0; y < image.height(); ++y)
                if (image.pixelColor(x, y) == bar)
                    return y;
            return -1;
        };
        const QRectF column = chart.columnOf(0);
        QCOMPARE(topOf(0), int(column.top()));
        QCOMPARE(topOf(1), -1);
        QCOMPARE(topOf(2), int(column.top() + column.height() / 2));
    }

    void roundLengthsLieInTheRange()
    {
        QCOMPARE(roundDurations(Duration(30), Duration(1000), true), (std::vector<std::int64_t>{50, 100, 200, 500, 1000}));
        QCOMPARE(roundDurations(Duration(1010), Duration(1060), true), (std::vector<std::int64_t>{1010, 1020, 1030, 1040, 1050, 1060}));
        QCOMPARE(roundDurations(Duration(0), Duration(1000), false), (std::vector<std::int64_t>{0, 200, 400, 600, 800, 1000}));
        QCOMPARE(roundDurations(Duration(-250), Duration(250), false), (std::vector<std::int64_t>{-200, -100, 0, 100, 200}));
        QCOMPARE(roundDurations(Duration(1), Duration(1), true), (std::vector<std::int64_t>{1}));
        constexpr auto Last = std::numeric_limits<std::int64_t>::max(); // Length that results from a damaged time stamp.
        QCOMPARE(roundDurations(Duration(Last - 3), Duration(Last), false),
                 (std::vector<std::int64_t>{Last - 3, Last - 2, Last - 1, Last}));
    }

    void lengthsThatDifferAreWrittenDifferently()
    {
        QCOMPARE(roundDurationText(0), QStringLiteral("0 ns"));
        QCOMPARE(roundDurationText(999), QStringLiteral("999 ns"));
        QCOMPARE(roundDurationText(1'500), QStringLiteral("1.5 \u00b5s"));
        QCOMPARE(roundDurationText(20'000'000), QStringLiteral("20 ms"));
        QCOMPARE(roundDurationText(100'000'100), QStringLiteral("100.0001 ms"));
        QCOMPARE(roundDurationText(-1'234'567), QStringLiteral("\u22121.234567 ms"));
        QCOMPARE(roundDurationText(3'000'000'000'000'000'001), QStringLiteral("3000000000.000000001 s"));

        QCOMPARE(roundDurations(Duration(100'000'100), Duration(100'000'500), true).size(), std::size_t(5));
        std::set<QString> texts;
        for (const std::int64_t length : roundDurations(Duration(100'000'100), Duration(100'000'500), true))
            texts.insert(roundDurationText(length));
        QCOMPARE(texts.size(), std::size_t(5));
    }

    void lengthsBesideTheTimesHaveTheRoomThatTheyTake()
    {
        const auto gridOf = [](std::int64_t least, std::int64_t most) {
            DensityGrid grid;
            grid.scale = {{timestamp(0), timestamp(1'000'000)}, Duration(least), Duration(most), true, 10, 10};
            grid.cells.resize(100);
            grid.cells[55] = {1, 0};
            grid.count = grid.most = 1;
            return std::make_shared<const DensityGrid>(std::move(grid));
        };
        ScatterChart chart;
        chart.resize(400, 200);
        chart.setGrid(gridOf(10, 1'000));
        const double usual = chart.cellRect(0, 0).left();
        for (const std::int64_t least : {1'000'100LL, 100'000'100LL, 5'000'000'100LL}) {
            chart.setGrid(gridOf(least, least + 400));

            const auto lengths = roundDurations(Duration(least), Duration(least + 400), true);
            QCOMPARE_GE(lengths.size(), std::size_t(5));
            QCOMPARE_GE(chart.cellRect(0, 0).left(), widestDurationText(lengths) + 6);
            // Labels do not touch the edge.
            const QImage picture = chart.grab().toImage();
            for (int y = 0; y < picture.height(); ++y)
                QCOMPARE(picture.pixel(0, y), theme().color("surface.panel").rgb());
        }
        chart.setGrid(gridOf(10, 1'000));
        QCOMPARE(chart.cellRect(0, 0).left(), usual);
    }

    /// Input: a log of strace. Property: the list of system calls has a column with their arguments; other lists have none.
    void argumentsOfLoggedCallsAreListed()
    {
        const OpenedText opened("5 1700000000.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3 <0.001000>\n"
                                "5 1700000000.002000 close(3) = 0 <0.001000>\n",
                                "log.strace");
        QVERIFY2(opened.timeline, opened.error.c_str());
        const auto isWanted = [](const NamedInterval&) { return true; };
        const WantedIntervals found = findWantedIntervals(opened.timeline, {"syscall"}, isWanted, 10);
        CallListModel model;
        model.setCalls(helio::listed(opened.timeline, {}, found.intervals, true, {}));
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(model.hasArguments());
        QCOMPARE(model.index(0, CallListModel::Arguments).data().toString(), "AT_FDCWD, \"/a\", O_RDONLY");
        QCOMPARE(model.index(1, CallListModel::Arguments).data().toString(), "3");
        model.setCalls(helio::listed(opened.timeline, {}, found.intervals, false, {}));
        QVERIFY(!model.hasArguments());
    }
};

HELIO_TEST(CallDurationsTest)
#include "tst_call_durations.moc"
