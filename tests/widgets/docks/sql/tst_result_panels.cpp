// Panels with results of queries: counts, hits and curves, on made data.

#include "core/experiment/timeline.h"
#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/panels/result_bars.h"
#include "widgets/timeline/panels/result_curves.h"
#include "widgets/timeline/panels/result_panel_view.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/workspace/view_context.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

TimeRange range(std::int64_t begin, std::int64_t end) { return {timestamp(begin), timestamp(end)}; }

std::shared_ptr<const ResultPanelData> madeBars()
{
    auto data = std::make_shared<ResultPanelData>();
    data->names = QStringList{"read", "write"};
    ResultLane first;
    first.name = "a";
    first.intervals = {{range(0, 1000), 0, 0, 7, false}, {range(100, 200), 1, 1, 8, false}, {range(500, 500), 1, 1, 9, false}};
    first.depths = 2;
    first.total = Duration(1100);
    ResultLane second;
    second.name = "b";
    second.intervals = {{range(600, 900), 1, 0, 5, true}};
    second.total = Duration(300);
    data->lanes = {first, second};
    data->count = 4;
    return data;
}

struct Area {
    ViewContext context;
    TimeArea area{context};

    Area()
    {
        auto timeline = std::make_shared<Timeline>();
        timeline->range = range(0, 1000);
        timeline->isComplete = true;
        area.resize(1300, 500);
        area.show();
        context.time().setFull(timeline->range);
        context.setTimeline(timeline);
        context.time().setVisible(range(0, 1000));
    }
    ResultPanelView* show(bool isChart, std::shared_ptr<const ResultPanelData> data)
    {
        ResultPanels::of(context).set({{"sql", "SELECT 1", "title", isChart, std::move(data), {}}});
        return qobject_cast<ResultPanelView*>(area.panel("sql"));
    }
};

} // namespace

class ResultPanelsTest : public QObject {
    Q_OBJECT

private slots:
    void intervalsInARangeAreCounted()
    {
        Area shown;
        ResultBars& bars = *shown.show(false, madeBars())->bars();
        QCOMPARE(bars.countIn(range(0, 1000)), std::size_t(4));
        QCOMPARE(bars.countIn(range(100, 200)), std::size_t(2));
        QCOMPARE(bars.countIn(range(200, 500)), std::size_t(1)); // The end and the moment at 500 are outside.
        QCOMPARE(bars.countIn(range(500, 501)), std::size_t(2));
        QCOMPARE(bars.countIn(range(901, 999)), std::size_t(1));
        QCOMPARE(bars.countIn(range(2000, 3000)), std::size_t(0));
        QCOMPARE(bars.naturalHeight(), 2 * ResultBarsLayout::RowHeight + ResultBarsLayout::DepthHeight);
        QCOMPARE(bars.heightOfWholeRows(50), ResultBarsLayout::RowHeight + ResultBarsLayout::DepthHeight);
    }
    void aClickChoosesTheBarUnderIt()
    {
        Area shown;
        ResultBars& bars = *shown.show(false, madeBars())->bars();
        bars.resize(1300, 60);
        const int left = shown.area.axis().labelWidth();
        const double width = bars.width() - left;
        const auto at = [&](double time, int y) { return QPoint(left + int(width * time / 1000), y); };
        QCOMPARE(bars.lineAt(at(300, 10)), std::optional(7U));
        QCOMPARE(bars.lineAt(at(150, 26)), std::optional(8U)); // The second line of the first row.
        QCOMPARE(bars.lineAt(at(500, 26)), std::optional(9U)); // A moment.
        QCOMPARE(bars.lineAt(at(700, 48)), std::optional(5U));
        QVERIFY(!bars.lineAt(at(300, 26)));
        QVERIFY(!bars.lineAt(QPoint(20, 10))); // In the label column.
        QSignalSpy chosen(&ResultPanels::of(shown.context), &ResultPanels::chosen);
        QTest::mouseClick(&bars, Qt::LeftButton, {}, at(150, 26));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QString("sql"));
        QCOMPARE(chosen[0][1].value<std::uint32_t>(), 8U);
    }
    void stepsGoToTheNextInterval()
    {
        Area shown;
        ResultPanelView& panel = *shown.show(false, madeBars());
        QSignalSpy chosen(&ResultPanels::of(shown.context), &ResultPanels::chosen);
        shown.context.time().setCursor(timestamp(200));
        panel.stepChange(true);
        QCOMPARE(chosen.takeLast()[1].value<std::uint32_t>(), 9U);
        panel.stepChange(false);
        QCOMPARE(chosen.takeLast()[1].value<std::uint32_t>(), 8U);
    }
    void panelsFollowTheList()
    {
        Area shown;
        QVERIFY(shown.show(false, nullptr)->bars()); // The query runs.
        QVERIFY(shown.area.panel("sql"));
        QVERIFY(shown.show(true, nullptr)->curves()); // Another shape: another panel.
        QCOMPARE(shown.show(true, nullptr), shown.area.panel("sql"));
        ResultPanels::of(shown.context).set({});
        QVERIFY(!shown.area.panel("sql"));
    }
    void bothThemesPaintTheBars()
    {
        Area shown;
        ResultBars& bars = *shown.show(false, madeBars())->bars();
        bars.resize(1300, 60);
        for (const Theme::Kind kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
            Themes::instance().setTheme(kind);
            const QImage image = bars.grab().toImage();
            const int left = shown.area.axis().labelWidth();
            const double width = bars.width() - left;
            QCOMPARE(image.pixelColor(left + int(width * 0.45), 6), theme().category(0));
            QCOMPARE(image.pixelColor(left + int(width * 0.7), 58 - 16), theme().category(1));
            QCOMPARE(image.pixelColor(left + int(width * 0.33), 26), theme().color("surface.timeline"));
        }
    }

    void pointsHoldUntilTheNext()
    {
        const std::vector<ResultPoint> points{
            {timestamp(0), 1.0, 0}, {timestamp(500), 4.0, 1}, {timestamp(600), std::nullopt, 2}, {timestamp(800), 2.0, 3}};
        const Curve curve = layOutPoints(points, TimeScale(range(0, 1000), 100), timestamp(1000));
        QCOMPARE(curve.size(), std::size_t(3));
        QCOMPARE(curve[0], (CurveSpan{0, 50, 1, 1, 1}));
        QCOMPARE(curve[1], (CurveSpan{50, 60, 4, 4, 4}));
        QCOMPARE(curve[2], (CurveSpan{80, 100, 2, 2, 2})); // Nothing from 60 to 80: NULL.
    }
    void pointsInOnePixelKeepTheirExtremes()
    {
        std::vector<ResultPoint> points;
        for (int i = 0; i < 1000; ++i)
            points.push_back({timestamp(i), i == 555 ? 100.0 : 1.0, std::uint32_t(i)});
        const Curve curve = layOutPoints(points, TimeScale(range(0, 1000), 10), timestamp(1000));
        QVERIFY(curve.size() <= 10);
        const CurveSpan* span = curveSpanAt(curve, 5.5);
        QVERIFY(span);
        QCOMPARE(span->most, 100.0);
        QCOMPARE(span->least, 1.0);
        QVERIFY(span->value > 1.5 && span->value < 2.5); // 99 of 100 points are 1.
    }
    void pointsBeforeTheWindowReachIntoIt()
    {
        const std::vector<ResultPoint> points{{timestamp(0), 5.0, 0}};
        const Curve curve = layOutPoints(points, TimeScale(range(400, 600), 100), timestamp(500));
        QCOMPARE(curve.size(), std::size_t(1));
        QVERIFY(curve[0].begin < 0);
        QCOMPARE(curve[0].end, 50.0); // The recording ends there.
        QVERIFY(layOutPoints({}, TimeScale(range(0, 10), 100), timestamp(5)).empty());
        QVERIFY(layOutPoints(points, TimeScale(), timestamp(5)).empty());
    }
};

HELIO_TEST(ResultPanelsTest)
#include "tst_result_panels.moc"
