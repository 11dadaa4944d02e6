#include "tests/support/made_hosts.h"
#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/axis/ruler.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/overview/overview_strip.h"
#include "widgets/timeline/panels/time_area.h"

#include <QSignalSpy>
#include <QTest>

#include <numeric>

using namespace helio;

namespace {

/// The overview of 4000 ns, 1100 pixels wide (300 of labels, 800 of time): 5 ns a pixel.
struct Shown {
    Shown()
        : area(context)
    {
        area.resize(1100, 700);
        area.show();
        context.setTimeline(MadeTimeline::make(3));
    }
    OverviewStrip* strip() { return area.overview(); }
    TimeWindow& time() { return context.time(); }
    static QPoint place(int ns) { return {300 + ns / 5, 30}; }
    void drag(int from, int to, Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mousePress(strip(), button, {}, place(from));
        for (const int at : {from + (to - from) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, QPointF(place(at)), strip()->mapToGlobal(QPointF(place(at))), Qt::NoButton, button, {});
            QApplication::sendEvent(strip(), &move);
        }
        QTest::mouseRelease(strip(), button, {}, place(to));
    }

    ViewContext context;
    TimeArea area;
};

TimeRange ns(int from, int to) { return {timestamp(from), timestamp(to)}; }

} // namespace

class OverviewStripTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Themes::instance().setTheme(Theme::Kind::Dark); }

    /// Property: overview, ruler and rows mark the finding that is selected in the context, until the user presses Esc.
    void findingsAreMarkedEverywhere()
    {
        Shown s;
        QTest::qWait(0);
        auto marks = std::make_shared<FindingMarks>();
        marks->rank = 1;
        marks->color = "#123456";
        marks->text = "Finding 1";
        marks->ranges = {ns(1000, 1500)};
        for (const Row& row : threads(*s.context.timeline()))
            marks->rows.insert(row.ref);
        QVERIFY(!marks->rows.empty());
        const auto isMarked = [](QWidget* widget, int x, int y) { return widget->grab().toImage().pixelColor(x, y) == QColor("#123456"); };
        auto* const ruler = s.area.findChild<Ruler*>();
        const auto rows = s.area.findChildren<TimeGraph*>();
        const auto marksInLabels = [&] {
            return std::ranges::count_if(rows, [&](TimeGraph* graph) {
                const QImage image = graph->grab().toImage();
                for (int y = 0; y < image.height(); ++y)
                    if (image.pixelColor(1, y) == QColor("#123456"))
                        return true;
                return false;
            });
        };
        QTRY_VERIFY(!s.strip()->grab().isNull());
        s.context.setFindingMarks(marks);
        QTRY_VERIFY(isMarked(s.strip(), 300 + 1200 / 5, s.strip()->height() - 3));
        QVERIFY(!isMarked(s.strip(), 300 + 1600 / 5, s.strip()->height() - 3));
        QVERIFY(isMarked(ruler, 300 + 1200 / 5, ruler->height() - 2));
        QVERIFY(!isMarked(ruler, 300 + 1600 / 5, ruler->height() - 2));
        QTRY_VERIFY(marksInLabels() > 0);
        s.area.axis().dismiss();
        QVERIFY(!s.context.findingMarks());
        QVERIFY(!isMarked(s.strip(), 300 + 1200 / 5, s.strip()->height() - 3));
        QVERIFY(!isMarked(ruler, 300 + 1200 / 5, ruler->height() - 2));
        QCOMPARE(marksInLabels(), 0);
    }

    void aDragWhereAllIsShownDrawsAWindow()
    {
        Shown s;
        s.drag(1000, 2000);
        QCOMPARE(s.time().visible(), ns(1000, 2000));
        s.time().back();
        QCOMPARE(s.time().visible(), s.time().full());
    }

    /// Property: with many hosts, the lanes have no room for the hosts' names; the label column then shows only the number of hosts.
    void manyHostsAreCounted()
    {
        const auto namesOf = [](int hosts) {
            auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(1));
            for (int i = 1; i < hosts; ++i) {
                const auto builder = makeMemoryStoreBuilder(hostTime(0));
                StoreSummary summary;
                summary.range = {hostTime(0), hostTime(4000)};
                summary.events = 1;
                addTrace(*timeline, {*builder->finish(summary), std::make_shared<MadeTrace>(), {}, "host-" + std::to_string(i)});
            }
            Shown s;
            s.context.setTimeline(timeline);
            QTest::qWait(0);
            [&] { QTRY_COMPARE(s.strip()->height(), OverviewStrip::heightFor(std::size_t(hosts))); }();
            const QImage image = s.strip()->grab().toImage();
            int lines = 0; // Number of text lines in the label column, counted by the gaps between them.
            bool wasInked = false;
            for (int y = 0; y < image.height() - 1; ++y) {
                bool isInked = false;
                for (int x = 8; x < 290; ++x)
                    isInked = isInked || image.pixelColor(x, y) != theme().color("surface.overview");
                lines += isInked && !wasInked;
                wasInked = isInked;
            }
            return lines;
        };
        QCOMPARE(namesOf(3), 3);
        QCOMPARE(namesOf(30), 1);
    }

    /// Property: while the user drags a host's clock, the lanes keep their time range, although the time range of all hosts changes.
    void aLaneThatIsDraggedFollowsThePointer()
    {
        ViewContext context;
        TimeArea area(context);
        area.resize(1100, 700);
        area.show();
        context.setTimeline(MadeHosts::make());
        OverviewStrip* strip = area.overview();
        QTRY_VERIFY(strip->height() > OverviewStrip::heightFor(1));
        const TimeScale before = strip->scale();
        QSignalSpy moves(&area.axis().hosts(), &HostGestures::moved);
        const auto at = [&](double x) { return QPoint(300 + int(x), strip->height() / 2); };
        QTest::mousePress(strip, Qt::LeftButton, Qt::ControlModifier, at(400));
        for (const int x : {440, 480}) {
            QMouseEvent move(QEvent::MouseMove, QPointF(at(x)), strip->mapToGlobal(QPointF(at(x))), Qt::NoButton, Qt::LeftButton,
                             Qt::ControlModifier);
            QApplication::sendEvent(strip, &move);
            context.time().setFull({timestamp(0), before.window().end + Duration(x * 100)});
            QCOMPARE(strip->scale(), before);
        }
        QCOMPARE(moves.last()[0].value<Duration>(), before.timeAt(480) - before.timeAt(400));
        QTest::mouseRelease(strip, Qt::LeftButton, Qt::ControlModifier, at(480));
        QCOMPARE(strip->scale().window(), context.time().full());
    }

    void aDragBesideTheBrushDrawsAnotherWindow()
    {
        Shown s;
        s.time().setVisible(ns(1000, 2000));
        s.drag(3500, 2500); // A leftward drag defines a range, too.
        QCOMPARE(s.time().visible(), ns(2500, 3500));
    }

    void aWindowIsDrawnInsideTheExperiment()
    {
        Shown s;
        s.time().setVisible(ns(1000, 2000));
        s.drag(3000, 4500);
        QCOMPARE(s.time().visible(), TimeRange({timestamp(3000), s.time().full().end}));
    }

    void aDragInTheBrushMovesIt()
    {
        Shown s;
        s.time().setVisible(ns(1000, 2000));
        s.drag(1500, 2000);
        QCOMPARE(s.time().visible(), ns(1500, 2500));
        s.drag(2000, -3000);
        QCOMPARE(s.time().visible(), ns(0, 1000)); // Panning stops at the trace's beginning.
    }

    void itsEdgesResizeTheBrush()
    {
        Shown s;
        s.time().setVisible(ns(1000, 2000));
        s.drag(1000, 500);
        QCOMPARE(s.time().visible(), ns(500, 2000));
        s.drag(2000, 3000);
        QCOMPARE(s.time().visible(), ns(500, 3000));
    }

    void aClickBesideTheBrushBringsItThere()
    {
        Shown s;
        s.time().setVisible(ns(1000, 2000));
        s.drag(3000, 3005);
        QCOMPARE(s.time().visible(), ns(2500, 3500));
        s.time().setVisible(s.time().full());
        s.drag(3000, 3000);
        QCOMPARE(s.time().visible(), s.time().full());
    }

    void aHostsLaneEndsWhereItsRecordingDoes()
    {
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
        auto builder = makeMemoryStoreBuilder(hostTime(1000));
        StoreSummary summary;
        summary.range = {hostTime(1000), hostTime(2000)};
        summary.events = 1;
        const TimeRange range = timeline->range;
        addTrace(*timeline, {*builder->finish(summary), std::make_shared<MadeTrace>(), {}, "other"});
        timeline->range = range;
        Shown s;
        s.context.setTimeline(timeline);
        QTRY_COMPARE(s.strip()->height(), OverviewStrip::heightFor(2));
        const QImage image = s.strip()->grab().toImage();
        const auto at = [&](int ns, int lane) { return image.pixelColor(300 + ns / 5, 8 + lane * (s.strip()->height() - 13) / 2); };
        const QColor ground = theme().color("surface.timeline"), none = theme().color("surface.overview");
        QCOMPARE(at(500, 0), ground);
        QCOMPARE(at(3500, 0), ground);
        QCOMPARE(at(500, 1), none);
        QCOMPARE(at(1500, 1), ground);
        QCOMPARE(at(3500, 1), none);
    }

    void theDensityOfFewSamplesIsALevel()
    {
        std::vector<double> counts(600);
        for (std::size_t i = 0; i < counts.size(); i += 2)
            counts[i] = 1; // One sample in every other bucket.
        const std::vector<double> calm = smoothDensity(counts);
        QCOMPARE(calm.size(), counts.size());
        for (const double value : calm)
            QVERIFY(std::abs(value - 0.5) < 0.1);
    }

    void aBurstIsNotSpreadOverTheQuietBesideIt()
    {
        std::vector<double> counts(100);
        counts[60] = 500;
        const std::vector<double> calm = smoothDensity(counts);
        QCOMPARE(calm[60], 500.0);
        QCOMPARE(calm[59], 0.0);
        QCOMPARE(calm[61], 0.0);
        QCOMPARE(std::accumulate(calm.begin(), calm.end(), 0.0), 500.0);
    }
};

HELIO_TEST(OverviewStripTest)
#include "tst_overview_strip.moc"
