#include "tests/support/made_counters.h"
#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/axis/ruler_scene.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/curves_panel.h"
#include "widgets/timeline/panels/render.h"
#include "widgets/timeline/panels/time_area.h"

#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace helio;
using namespace helio::test;

namespace {

Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }
constexpr std::int64_t Spike = 2345;

/// Adds two series: one with a point every nanosecond and a spike of a single nanosecond, and a quiet one.
void fillSpiky(StoreBuilder& builder)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> points;
    for (std::int64_t time = 0; time < 4000; ++time)
        points.emplace_back(time, time == Spike ? 100 : time % 3);
    addSeries(builder, "spiky", points, CounterSeries::Kind::Gauge, "B");
    addSeries(builder, "quiet", {{0, 10}, {1000, 20}, {3000, 10}});
}

struct Shown {
    explicit Shown(const std::shared_ptr<const Timeline>& timeline = withCounters(fillSpiky))
        : area(context)
    {
        area.resize(1100, 900);
        area.show();
        context.setTimeline(timeline);
        panel = qobject_cast<CurvesPanel*>(area.panel("load"));
        graph = panel ? panel->graph() : nullptr;
    }
    TimeWindow& time() { return context.time(); }
    void settle()
    {
        QTRY_COMPARE(int(graph->series().size()), 2);
        (void)graph->grab(); // Painting makes the graph request the values of curves that are out of date.
        QTRY_VERIFY(graph->isIdle());
        picture = graph->grab().toImage();
    }
    int x(std::int64_t ns) { return area.axis().labelWidth() + int(area.axis().scale(graph->width()).xAt(at(ns))); }
    void click(int line, Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mouseClick(graph, button, {}, QPoint(40, 4 + line * CurveScene::NameHeight + 5));
    }
    bool isGround(int px, double value)
    {
        const QColor color = picture.pixelColor(px, int(graph->yOf(value)));
        return color == theme().color("surface.timeline") || color == theme().color("line.grid");
    }

    ViewContext context;
    TimeArea area;
    CurvesPanel* panel = nullptr;
    CurveGraph* graph = nullptr;
    QImage picture;
};

QAction* actionOf(QMenu& menu, const QString& text)
{
    for (QAction* action : menu.actions()) {
        if (action->text() == text)
            return action;
        if (action->menu())
            if (QAction* below = actionOf(*action->menu(), text))
                return below;
    }
    return nullptr;
}

} // namespace

class CurvesPanelTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: names that do not fit are counted and listed below the last visible name.
    void namesThatHaveNoRoomAreCounted()
    {
        Shown s(withCounters([](StoreBuilder& builder) {
            for (const char* name : {"first", "second", "third", "fourth"})
                addSeries(builder, name, {{0, 10}, {1000, 20}});
        }));
        QTRY_COMPARE(int(s.graph->series().size()), 4);
        const auto shown = [&](int lines, int ofThem) {
            s.graph->setFixedHeight(CurveScene::heightOf(lines) - 4);
            const QImage picture = s.graph->grab().toImage();
            std::set<QString> tips;
            for (int y = 1; y < s.graph->height(); ++y)
                for (int x = 0; x < s.area.axis().labelWidth(); ++x)
                    tips.insert(s.graph->tipOf({x, y}));
            QCOMPARE(tips.contains("Title of first\nTitle of second\nTitle of third\nTitle of fourth"), ofThem > 0);
            QCOMPARE(picture.pixelColor(100, 2), theme().color("surface.panel"));
        };
        shown(4, 0);
        shown(3, 1);
        shown(2, 2);
        QTest::mouseClick(s.graph, Qt::LeftButton, {}, QPoint(s.area.axis().labelWidth() - CurveScene::ScaleWidth - 12, 4 + 18 + 9));
        QVERIFY(s.graph->hidden().empty()); // The click has no effect, because it hits no name.
        QCOMPARE(s.graph->tipOf({40, 4 + 18 + 9}), QString("Title of second"));
    }

    /// Input: two hosts, with an error bound of 200 ns between their clocks, at 5 ns a pixel. Property: the cursor is a band of this
    /// width on the other host's curves.
    void theCursorIsAsWideAsAHostsClockIsUnsure()
    {
        auto timeline = std::make_shared<Timeline>(*withCounters(fillSpiky, 2));
        QCOMPARE(timeline->hosts.size(), std::size_t(2));
        timeline->hosts[0].path.isReached = timeline->hosts[1].path.isReached = true;
        timeline->hosts[1].path.hosts = {0};
        timeline->hosts[1].clock = *ClockTransform::through({{hostTime(0), at(0), Duration(200)}});
        Shown s(timeline);
        s.time().setVisible({at(0), at(4000)});
        s.time().setCursor(at(2000));
        QTRY_COMPARE(int(s.graph->series().size()), 4);
        QTRY_VERIFY(s.graph->isIdle());
        const auto colorAt = [&](int ns) { return s.graph->grab().toImage().pixelColor(s.x(ns), 2); };
        const QColor plain = colorAt(3210);
        const QColor band = blended(plain, theme().color("mark.uncertainty"));
        const auto isBand = [&](int ns) { // Tolerance of 1 per colour component, because the painter rounds when it blends colours.
            const QColor is = colorAt(ns);
            return std::abs(is.red() - band.red()) <= 1 && std::abs(is.green() - band.green()) <= 1
                && std::abs(is.blue() - band.blue()) <= 1;
        };
        QVERIFY(isBand(2000 + 160) && isBand(2000 - 160));
        QCOMPARE(colorAt(2000 + 240), plain);
        std::set<QString> others; // Ids of the second host's series.
        for (const NamedSeries& it : s.graph->series())
            if (it.series.trace == 1)
                others.insert(CurveGraph::keyOf(it.series));
        s.graph->setHidden(others);
        QTRY_VERIFY(s.graph->isIdle());
        QCOMPARE(colorAt(2000 + 160), plain);
        s.area.axis().setHoveredHost(1); // The mouse is over host 1, so that times are on its clock.
        QVERIFY(isBand(2000 + 160));
        s.area.axis().setHoveredHost({});
        s.graph->setHidden({});
        timeline = std::make_shared<Timeline>(*timeline);
        timeline->hosts[1].path = {};
        s.context.setTimeline(timeline);
        QTRY_VERIFY(s.graph->isIdle());
        const QImage image = s.graph->grab().toImage();
        int dashes = 0;
        for (int y = 0; y < 40; ++y)
            dashes += image.pixelColor(s.x(2000), y) == theme().color("cursor.line");
        // The cursor line is dashed, because the clock of that host is unrelated, so the cursor has no time on that host.
        QVERIFY2(dashes > 4 && dashes < 36, qPrintable(QString::number(dashes)));
    }

    void thePointerOnACurvesNameSpeaksOfItsHost()
    {
        auto timeline = std::make_shared<Timeline>(*withCounters(fillSpiky, 2));
        Shown s(timeline);
        QTRY_COMPARE(int(s.graph->series().size()), 4);
        QTRY_VERIFY(s.graph->isIdle());
        for (int line = 0; line < 4; ++line) {
            const auto hovered = [&] { // Moves the mouse on each attempt, because a later layout may still move the names.
                QTest::mouseMove(s.graph, QPoint(40, 4 + line * CurveScene::NameHeight + 5));
                return s.area.axis().hoveredHost();
            };
            QTRY_COMPARE(hovered(), std::optional(s.graph->series()[std::size_t(line)].series.trace));
        }
    }

    void aViewOfCountersHasAPanelOfCurves()
    {
        Shown s;
        QVERIFY(s.panel);
        QCOMPARE(s.panel->name(), "Load");
        QVERIFY(!s.area.rowsPanel("load"));
        s.settle();
        QVERIFY(s.panel->isVisible());
        QCOMPARE(s.graph->series()[0].name, "Title of spiky");
        QVERIFY(s.panel->y() > s.area.panel("resources")->y() && s.panel->y() < s.area.panel("control-flow")->y());
        QCOMPARE(s.panel->shownTraces(), (std::vector<std::uint32_t>{0}));
    }

    /// Input: a counter with a high value at one of 4000 ns. Property: the spike is visible at its position at any zoom.
    void aSpikeIsSeenAtAnyZoom_data()
    {
        QTest::addColumn<int>("length");
        for (const int length : {4000, 2000, 500, 100, 20})
            QTest::addRow("%d ns", length) << length;
    }
    void aSpikeIsSeenAtAnyZoom()
    {
        QFETCH(int, length);
        Shown s;
        s.settle();
        const std::int64_t begin = length == 4000 ? 0 : Spike - length / 3;
        s.time().setVisible({at(begin), at(begin + length)});
        s.settle();

        QVERIFY(s.graph->values().high >= 100);
        const int x = s.x(Spike);
        bool isSeen = false;
        for (int px = x - 1; px <= x + 1; ++px)
            isSeen = isSeen || !s.isGround(px, 95);
        QVERIFY(isSeen);
        for (const int far : {x - 40, x + 40})
            if (far > s.area.axis().labelWidth() && far < s.graph->width() && std::abs(far - x) > s.x(Spike + 2) - s.x(Spike))
                QVERIFY(s.isGround(far, 95));
    }

    void aCurveIsWhereItsValueIs()
    {
        Shown s;
        s.settle();
        const QColor quiet = s.graph->series()[1].color;
        QCOMPARE(s.picture.pixelColor(s.x(2000), int(s.graph->yOf(20))), quiet);
        QCOMPARE(s.picture.pixelColor(s.x(500), int(s.graph->yOf(10))), quiet);
        QVERIFY(s.picture.pixelColor(s.x(500), int(s.graph->yOf(20))) != quiet);
    }

    void aThinLineIsSeenOnItsGround()
    {
        for (const Theme::Kind kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
            const Theme theme = Theme::make(kind);
            std::set<QRgb> colors;
            for (int i = 0; i < 20; ++i) {
                QVERIFY(contrast(curveColor(theme, i), theme.color("surface.timeline")) >= 3);
                colors.insert(curveColor(theme, i).rgb());
            }
            QCOMPARE(int(colors.size()), 20);
        }
    }

    void aClickOnANameHidesItsCurve()
    {
        Shown s;
        s.settle();
        QSignalSpy hidden(s.graph, &CurveGraph::hiddenChanged);
        s.click(0);
        QCOMPARE(hidden.size(), 1);
        QVERIFY(!s.graph->isShown(0) && s.graph->isShown(1));
        s.settle();
        QCOMPARE(s.graph->values().high, 20.0); // The scale depends on visible series only.
        s.click(0);
        QVERIFY(s.graph->isShown(0));
        s.settle();
        QCOMPARE(s.graph->values().high, 100.0);
    }

    void whatIsHiddenIsKeptInSessions()
    {
        QJsonObject kept;
        {
            Shown s;
            s.settle();
            s.click(1);
            QMenu menu;
            s.panel->fillMenu(menu);
            actionOf(menu, "Fix scale to whole trace")->trigger();
            kept = s.area.save();
        }
        Shown s;
        s.area.restore(kept);
        s.settle();
        QVERIFY(s.graph->isShown(0) && !s.graph->isShown(1));
        QVERIFY(s.graph->isScaleFixed());
        QCOMPARE(s.area.save(), kept);
        s.area.restore({{"load", QJsonObject{{"hidden", 5}, {"scaleOfAll", "x"}}}}); // Invalid content of a session file is ignored.
        QVERIFY(s.graph->isShown(1) && !s.graph->isScaleFixed());
    }

    void theScaleFollowsTheWindowUnlessItIsFixed()
    {
        Shown s;
        s.settle();
        QCOMPARE(s.graph->values(), (ValueScale{0, 100}));
        s.time().setVisible({at(100), at(200)});
        s.settle();
        QCOMPARE(s.graph->values(), (ValueScale{0, 10}));
        s.graph->setScaleFixed(true);
        s.settle();
        QCOMPARE(s.graph->values(), (ValueScale{0, 100}));
    }

    void theMenuShowsAndHidesSeries()
    {
        Shown s;
        s.settle();
        {
            QMenu menu;
            s.panel->fillMenu(menu);
            QVERIFY(!actionOf(menu, "Show all series")->isEnabled());
            actionOf(menu, "Title of quiet")->trigger();
        }
        QVERIFY(!s.graph->isShown(1));
        QMenu menu;
        s.panel->fillMenu(menu);
        QVERIFY(!actionOf(menu, "Title of quiet")->isChecked());
        actionOf(menu, "Show all series")->trigger();
        QVERIFY(s.graph->isShown(1));
        QVERIFY(actionOf(menu, "Move panel up"));
    }

    void theFilterLeavesSeriesByTheirNames()
    {
        Shown s;
        s.settle();
        s.panel->header()->setFilter("QUI");
        QCOMPARE(int(s.graph->series().size()), 1);
        QCOMPARE(s.graph->series()[0].color, curveColor(theme(), 1)); // The curve keeps its colour.
        s.panel->header()->setFilter("nothing like this");
        QCOMPARE(int(s.graph->series().size()), 0);
        QVERIFY(s.graph->emptyTextHeight() > 0);
        s.panel->header()->setFilter("");
        s.settle();
    }

    void whereNamesDoNotFitNoneIsCut()
    {
        Shown s;
        s.settle();
        QVERIFY(s.graph->series().size() >= 2);
        const int head = s.panel->headerHeight(), two = head + 4 + 2 * CurveScene::NameHeight;
        QCOMPARE(s.panel->heightOfWholeRows(two - 1), head + 4 + CurveScene::NameHeight);
        QCOMPARE(s.panel->heightOfWholeRows(head + 10), head + 10); // Too low for one row: the height is not changed.
        QCOMPARE(s.panel->heightOfWholeRows(500), 500); // All rows fit: the height is not changed.
    }

    void habitsAreThoseOfTheRows()
    {
        Shown s;
        s.settle();
        const auto middle = [&](std::int64_t ns) { return QPoint(s.x(ns), s.graph->height() / 2); };
        QTest::mouseClick(s.graph, Qt::LeftButton, {}, middle(1500));
        QVERIFY(std::chrono::abs(s.time().cursor() - at(1500)) <= Duration(5));
        QTest::mousePress(s.graph, Qt::LeftButton, {}, middle(1000));
        QTest::mouseMove(s.graph, middle(1500));
        QTest::mouseMove(s.graph, middle(2000));
        QTest::mouseRelease(s.graph, Qt::LeftButton, {}, middle(2000));
        QVERIFY(std::chrono::abs(s.time().selection().begin - at(1000)) <= Duration(5));
        QVERIFY(std::chrono::abs(s.time().selection().end - at(2000)) <= Duration(5));
        const Duration before = s.time().visible().duration();
        QWheelEvent wheel(middle(1000), s.graph->mapToGlobal(middle(1000)), {}, {0, 120}, {}, Qt::ControlModifier, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(s.graph, &wheel);
        QVERIFY(s.time().visible().duration() < before);
        QTest::keyClick(s.graph, Qt::Key_F);
        QCOMPARE(s.time().visible(), s.time().selection());
        QTest::keyClick(s.graph, Qt::Key_F);
        QCOMPARE(s.time().visible(), s.time().full());
        QTest::keyClick(s.graph, Qt::Key_Escape);
        QVERIFY(s.time().selection().isEmpty());
        QTest::mouseMove(s.graph, middle(700));
        QVERIFY(s.time().hovered() && std::chrono::abs(*s.time().hovered() - at(700)) <= Duration(5));
    }

    void arrowKeysGoFromPointToPoint()
    {
        Shown s;
        s.settle();
        s.click(0); // Hides the spiky series, so that only points of the quiet one are left.
        s.time().setCursor(at(500));
        s.graph->setFocus();
        s.area.stepChange(true);
        QCOMPARE(s.time().cursor(), at(1000));
        s.area.stepChange(true);
        s.area.stepChange(true); // The second call has no effect, because the cursor is at the last point.
        QCOMPARE(s.time().cursor(), at(3000));
        s.area.stepChange(false);
        QCOMPARE(s.time().cursor(), at(1000));
        QVERIFY(!s.area.graph()); // Commands on rows have no target: a curves panel has no rows.
    }

    void belowTheThreadsItLeavesThemTheRoom()
    {
        Shown s(withCounters(fillSpiky, 1, 150));
        s.settle();
        const TimePanel* threads = s.area.panel("control-flow");
        QVERIFY(s.panel->y() > threads->y());
        QCOMPARE(s.panel->height(), s.panel->naturalHeight());
        QCOMPARE(s.panel->y() + s.panel->height(), s.area.panels()->height());
        QVERIFY(threads->height() > s.panel->height());
        const int before = s.panel->height();
        emit s.panel->header()->resizeBegan();
        emit s.panel->header()->resized(-50); // Simulates a drag of the header's upper edge.
        QCOMPARE(s.panel->height(), before + 50);
        s.area.panel("control-flow")->setCollapsed(true);
        s.area.panel("resources")->setCollapsed(true);
        QVERIFY(s.panel->height() > before + 50); // The other panels are collapsed, so that this panel gets their height.
    }

    void withoutSeriesThePanelKeepsItsPlaceAndSaysWhy()
    {
        Shown s(withCounters([](StoreBuilder&) {}));
        QTRY_VERIFY(s.graph->emptyTextHeight() > 0);
        QVERIFY(!s.panel->isVacant());
        QVERIFY(!s.panel->isHidden());
    }

    void itGoesAndComesWithItsTimeline()
    {
        Shown s;
        s.settle();
        s.context.setTimeline({});
        QVERIFY(s.graph->series().empty());
        (void)s.graph->grab();
        s.context.setTimeline(withCounters(fillSpiky));
        s.settle();
        s.context.setTimeline(MadeTimeline::make(3));
        QVERIFY(!s.area.panel("load"));
    }

    void aViewOfCountersCanBeDrawnWithoutAWindow_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<int>("ratio");
        QTest::newRow("dark") << true << 1;
        QTest::newRow("light, twice as dense") << false << 2;
    }
    void aViewOfCountersCanBeDrawnWithoutAWindow()
    {
        QFETCH(bool, isDark);
        QFETCH(int, ratio);
        RenderRequest request;
        request.timeline = withCounters(fillSpiky);
        request.view = "load";
        request.window = {at(0), at(4000)};
        QCOMPARE(naturalHeight(request), RulerHeight + 240);
        request.size = {1100, 230};
        const Theme theme = Theme::make(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
        request.acceptsSeries = [](const ViewSeries& series, const SeriesOwner&) { return series.id == "quiet"; };

        const QImage image = renderView(request, theme, ratio);

        QCOMPARE(image.size(), QSize(1100, 230) * ratio);
        // Values 0 to 20 on 188 pixels: y from 224 up to 36.
        const auto pixel = [&](double x, double y) { return image.pixelColor(int(x * ratio), int(y * ratio)); };
        QCOMPARE(pixel(300 + 400, 36), curveColor(theme, 1));
        QCOMPARE(pixel(300 + 100, 36 + 94), curveColor(theme, 1));
        QVERIFY(pixel(300 + 100, 36 + 84) != curveColor(theme, 1));
    }
};

HELIO_TEST(CurvesPanelTest)
#include "tst_curves_panel.moc"
