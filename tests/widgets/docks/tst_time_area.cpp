#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/render.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace helio;
using namespace std::chrono_literals;

namespace {

Timestamp at(std::int64_t ns) { return timestamp(ns); }

/// A time area, 1100 pixels wide (300 of labels, 800 of time), that shows [0, 4000) ns: 5 ns a pixel.
struct Shown {
    explicit Shown(int threads = 5, int resting = 0)
        : area(context)
    {
        area.resize(1100, 700);
        area.show();
        context.setTimeline(MadeTimeline::make(threads, resting));
        graph = area.rowsPanel("control-flow")->graph();
        graph->setFocus();
    }
    bool isReady() const { return graph->rows().count() > 0 && graph->isIdle(); }
    TimeWindow& time() { return context.time(); }
    /// Returns the point, in pixels of the graph, at time `ns` in a row.
    QPoint place(int row, std::int64_t ns) const
    {
        const TimeScale scale = TimeScale(context_().visible(), 800);
        return {300 + int(scale.xAt(at(ns))), graph->rows().top(row) + 12};
    }
    const TimeWindow& context_() const { return const_cast<ViewContext&>(context).time(); }
    TrackRef row(int i) const { return graph->rows()[i].ref; }
    void key(Qt::Key k, Qt::KeyboardModifiers m = Qt::NoModifier) { QTest::keyClick(graph, k, m); }
    void drag(Qt::MouseButton button, QPoint from, QPoint to, Qt::KeyboardModifiers m = Qt::NoModifier)
    {
        QTest::mousePress(graph, button, m, from);
        for (const QPoint p : {from + (to - from) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, QPointF(p), graph->mapToGlobal(QPointF(p)), Qt::NoButton, button, m);
            QApplication::sendEvent(graph, &move);
        }
        QTest::mouseRelease(graph, button, m, to);
    }
    void wheel(QPoint where, int notches, Qt::KeyboardModifiers m = Qt::NoModifier)
    {
        QWheelEvent event(QPointF(where), graph->mapToGlobal(QPointF(where)), {}, QPoint(0, notches * 120), Qt::NoButton, m,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(graph, &event);
    }

    ViewContext context;
    TimeArea area;
    TimeGraph* graph = nullptr;
};

} // namespace

class TimeAreaTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Themes::instance().setTheme(Theme::Kind::Dark); }

    void theLabelsOfAResizedGraphLookAsThosePaintedAnew()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        for (const QSize size : {QSize(1000, 600), QSize(1300, 760), QSize(1290, 500), QSize(1600, 900)}) {
            s.area.resize(size);
            QTRY_VERIFY(s.isReady());
            const QImage kept = s.area.grab().toImage();
            Themes::instance().setTheme(Theme::Kind::Light);
            QVERIFY(s.area.grab().toImage() != kept);
            Themes::instance().setTheme(Theme::Kind::Dark); // Switching back to the dark theme paints the whole area again.
            QTRY_VERIFY(s.isReady());
            const QRect labels(0, 0, 300, size.height()); // Rectangle of the labels; 300 is the label width in Shown::place().
            QCOMPARE(kept.copy(labels), s.area.grab().toImage().copy(labels));
        }
    }

    void aClickSetsTheCursorAndSelectsTheRowAndTheStateUnderIt()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        QTest::mouseClick(s.graph, Qt::LeftButton, {}, s.place(0, 600));

        QCOMPARE(s.time().row(), s.row(0));
        QVERIFY(std::abs(nanoseconds(s.time().cursor()) - 600) <= 5);
        QTRY_VERIFY(s.graph->selectedState().has_value());
        QCOMPARE(s.graph->selectedState()->interval.range, (TimeRange{at(550), at(750)}));
    }

    void aLeftDragSelectsARange()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.drag(Qt::LeftButton, s.place(0, 1000), s.place(1, 2000));

        QCOMPARE(s.time().selection(), (TimeRange{at(1000), at(2000)}));
        s.key(Qt::Key_Escape);
        QVERIFY(s.time().selection().isEmpty());
    }

    void anEdgeOfTheRangeCanBeMoved()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.time().setSelection({at(1000), at(2000)});
        s.drag(Qt::LeftButton, s.place(0, 2000), s.place(0, 3000));

        QCOMPARE(s.time().selection(), (TimeRange{at(1000), at(3000)}));
    }

    void withAltAnEdgeSnapsToAStatesBoundary()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.drag(Qt::LeftButton, s.place(0, 1000), s.place(0, 1370), Qt::AltModifier);

        QCOMPARE(s.time().selection().end, at(1350));
    }

    void aMiddleDragPansAndSpaceWithLeftToo()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.time().setVisible({at(1000), at(2000)});
        s.drag(Qt::MiddleButton, {700, 20}, {500, 20});
        QCOMPARE(s.time().visible(), (TimeRange{at(1250), at(2250)}));

        QTest::keyPress(s.graph, Qt::Key_Space);
        s.drag(Qt::LeftButton, {500, 20}, {700, 20});
        QTest::keyRelease(s.graph, Qt::Key_Space);
        QCOMPARE(s.time().visible(), (TimeRange{at(1000), at(2000)}));
        QVERIFY(s.time().selection().isEmpty());
    }

    void aRightDragZoomsAndARightClickAsksForAMenu()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        QSignalSpy menu(&s.area, &TimeArea::contextMenuRequested);
        s.drag(Qt::RightButton, s.place(0, 1000), s.place(0, 2000));
        QCOMPARE(s.time().visible(), (TimeRange{at(1000), at(2000)}));
        QCOMPARE(menu.count(), 0);

        QTest::mouseClick(s.graph, Qt::RightButton, {}, {600, 10});
        QCOMPARE(menu.count(), 1);
        s.time().back();
        QCOMPARE(s.time().visible(), s.time().full());
    }

    void theWheelScrollsZoomsAndPans()
    {
        Shown s(100);
        QTRY_VERIFY(s.isReady());
        auto* bar = s.graph->findChild<QScrollBar*>();
        s.wheel({600, 50}, -1);
        QVERIFY(bar->value() > 0);
        QCOMPARE(s.time().visible(), s.time().full());

        s.wheel({500, 50}, 1, Qt::ControlModifier); // x = 500: a quarter of the time area.
        QCOMPARE(s.time().visible(), (TimeRange{at(200), at(3400)}));
        s.wheel({500, 50}, -1, Qt::ShiftModifier);
        QCOMPARE(s.time().visible(), (TimeRange{at(520), at(3720)}));
        s.wheel({500, 50}, 1, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(s.area.axis().density(), Density::Roomy);
    }

    void aDoubleClickZoomsToTheState()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        QTest::mouseDClick(s.graph, Qt::LeftButton, {}, s.place(0, 600));

        QCOMPARE(s.time().visible(), (TimeRange{at(525), at(775)}));
    }

    void leftAndRightStepThroughTheStatesOfTheRow()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.time().setRow(s.row(0));
        s.time().setCursor(at(600));
        s.key(Qt::Key_Right);
        QCOMPARE(s.time().cursor(), at(750));
        s.key(Qt::Key_Left);
        QCOMPARE(s.time().cursor(), at(550));
        s.key(Qt::Key_Left);
        QCOMPARE(s.time().cursor(), at(500));
    }

    void withoutARowLeftAndRightPan()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.time().setVisible({at(1000), at(2000)});
        s.key(Qt::Key_Right);
        QCOMPARE(s.time().visible(), (TimeRange{at(1200), at(2200)}));
    }

    void controlLeftAsksTheApplicationForTheEventBefore()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        QSignalSpy step(&s.area, &TimeArea::eventStepRequested);
        s.key(Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(step.count(), 1);
        QCOMPARE(step[0][0].toBool(), false);
    }

    void lettersZoomAndPanAndFitReturns()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.key(Qt::Key_W);
        QVERIFY(s.time().visible().duration() < 4000ns);
        const TimeRange before = s.time().visible();
        s.key(Qt::Key_F);
        QCOMPARE(s.time().visible(), s.time().full());
        s.key(Qt::Key_F);
        QCOMPARE(s.time().visible(), before);
        s.time().setSelection({at(100), at(300)});
        s.key(Qt::Key_Z);
        QCOMPARE(s.time().visible(), (TimeRange{at(100), at(300)}));
    }

    void fitCyclesThroughTheSelectionAndEverything()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        const TimeRange before{at(1000), at(3000)}, selection{at(1500), at(2000)};
        s.time().setVisible(before);
        s.time().setSelection(selection);
        for (int round = 0; round < 2; ++round) {
            s.key(Qt::Key_F);
            QCOMPARE(s.time().visible(), selection);
            s.key(Qt::Key_F);
            QCOMPARE(s.time().visible(), s.time().full());
            s.key(Qt::Key_F);
            QCOMPARE(s.time().visible(), before);
        }
        s.time().setVisible({at(0), at(500)}); // After a move of the visible range, the key F begins again with the selected range.
        s.key(Qt::Key_F);
        QCOMPARE(s.time().visible(), selection);
        s.key(Qt::Key_F);
        // After a change of the selected range, too, the key F begins again with the selected range.
        s.time().setSelection({at(100), at(200)});
        s.key(Qt::Key_F);
        QCOMPARE(s.time().visible(), (TimeRange{at(100), at(200)}));
        s.key(Qt::Key_F);
        s.key(Qt::Key_F); // The whole experiment was shown before, so the selection is next.
        QCOMPARE(s.time().visible(), (TimeRange{at(100), at(200)}));
        s.time().setSelection({});
        s.key(Qt::Key_F);
        QCOMPARE(s.time().visible(), s.time().full());
    }

    void turnsOfTheWheelAreOnePlaceOfTheHistory()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        const TimeRange full = s.time().visible();
        for (int i = 0; i < 5; ++i)
            s.wheel(s.place(0, 1000), 1, Qt::ControlModifier);
        s.wheel(s.place(0, 1000), 1, Qt::ShiftModifier);
        s.key(Qt::Key_W);
        const TimeRange zoomed = s.time().visible();
        QVERIFY(zoomed != full);
        // Changes the density of the rows, which adds no entry to the history.
        s.wheel(s.place(0, 1000), 1, Qt::ControlModifier | Qt::ShiftModifier);
        // A click is another move, so the turns of the wheel after it are a new entry of the history.
        QTest::mouseClick(s.graph, Qt::LeftButton, {}, s.place(0, 1000));
        s.wheel(s.place(0, 1000), -1, Qt::ControlModifier);
        s.wheel(s.place(0, 1000), -1, Qt::ControlModifier);
        s.time().back();
        QCOMPARE(s.time().visible(), zoomed);
        s.time().back();
        QCOMPARE(s.time().visible(), full);
        QVERIFY(!s.time().canGoBack());
        s.time().forward();
        QCOMPARE(s.time().visible(), zoomed);
    }

    void aDragWithControlSelectsABox()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        const QImage plain = s.graph->grab().toImage();
        s.drag(Qt::LeftButton, s.place(1, 1000), s.place(3, 2000), Qt::ControlModifier);
        QCOMPARE(s.time().selection(), (TimeRange{at(1000), at(2000)}));
        const std::vector<TrackRef> box{s.row(1), s.row(2), s.row(3)};
        QCOMPARE(s.area.axis().boxRows(), box);
        QCOMPARE(s.time().row(), s.row(1));
        QVERIFY(s.graph->grab().toImage() != plain);
        QCOMPARE(s.graph->selectedRowsTexts().size(), 3);

        // Drags a box from its lower right to its upper left corner.
        s.drag(Qt::LeftButton, s.place(3, 2500), s.place(2, 2200), Qt::ControlModifier);
        QCOMPARE(s.time().selection(), (TimeRange{at(2200), at(2500)}));
        QCOMPARE(s.area.axis().boxRows(), (std::vector<TrackRef>{s.row(2), s.row(3)}));

        s.drag(Qt::LeftButton, s.place(1, 1000), s.place(1, 1100)); // A plain drag selects only a range.
        QVERIFY(s.area.axis().boxRows().empty());
        s.drag(Qt::LeftButton, s.place(1, 1000), s.place(3, 2000), Qt::ControlModifier);
        s.key(Qt::Key_Escape);
        QVERIFY(s.area.axis().boxRows().empty());
        QVERIFY(s.time().selection().isEmpty());
    }

    void rowsOfABoxAreHiddenAndPinnedTogether()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        TrackPanel* panel = s.area.rowsPanel("control-flow");
        const int count = s.graph->rows().count();
        s.drag(Qt::LeftButton, s.place(1, 1000), s.place(3, 2000), Qt::ControlModifier);
        const auto choose = [&](const QString& text) {
            QMenu menu;
            panel->addRowActions(menu, s.area.axis().boxRows().at(1));
            for (QAction* action : menu.actions())
                if (action->text() == text)
                    return action->trigger(), true;
            return false;
        };
        QVERIFY(choose("Pin 3 rows to top"));
        QCOMPARE(panel->pinnedGraph()->rows().count(), 3);
        QCOMPARE(s.context.changes().undoText(), QString("Pin 3 rows"));
        s.area.togglePin();
        QCOMPARE(panel->pinnedGraph()->rows().count(), 0);
        QVERIFY(choose("Hide 3 rows"));
        QCOMPARE(s.graph->rows().count(), count - 3);
        QCOMPARE(s.context.changes().undoText(), QString("Hide 3 rows"));
        s.context.changes().undo();
        QCOMPARE(s.graph->rows().count(), count);
        s.context.changes().undo();
        QCOMPARE(panel->pinnedGraph()->rows().count(), 3);
    }

    void thePinAtThePointerPinsItsRow()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        TrackPanel* panel = s.area.rowsPanel("control-flow");
        // Returns a point on the pin in a row's label, the leftmost at which the mouse pointer is a hand; (-1, -1) if the label shows no
        // pin.
        const auto pinAt = [](TimeGraph& graph, int row) {
            const int y = graph.rows().top(row) + graph.rows().metrics(row).height / 2;
            for (int x = 20; x < 296; ++x) {
                QTest::mouseMove(&graph, {x, y});
                if (graph.cursor().shape() == Qt::PointingHandCursor)
                    return QPoint(x + 2, y);
            }
            return QPoint(-1, -1);
        };
        const QPoint pin = pinAt(*s.graph, 2);
        QVERIFY(pin.x() > 0);
        const QImage hovered = s.graph->grab().toImage();
        QTest::mouseMove(s.graph, s.place(2, 1000)); // In the time area, the row shows no pin.
        QVERIFY(s.graph->grab().toImage().copy(0, 0, 300, 200) != hovered.copy(0, 0, 300, 200));
        const TrackRef row = s.row(2);
        QTest::mouseClick(s.graph, Qt::LeftButton, {}, pin);
        TimeGraph& pinned = *panel->pinnedGraph();
        QCOMPARE(pinned.rows().count(), 1);
        QCOMPARE(pinned.rows()[0].ref, row);
        QVERIFY(!s.time().row().isValid()); // A click on the pin does not select the row.
        panel->togglePin(s.row(4));
        QCOMPARE(pinned.rows().count(), 2);

        // Dragged by its label, a pinned row moves among the pinned rows.
        const QPoint label(40, pinned.rows().top(0) + 8);
        QTest::mousePress(&pinned, Qt::LeftButton, {}, label);
        const QPointF below(40, pinned.rows().top(1) + 8);
        QMouseEvent move(QEvent::MouseMove, below, pinned.mapToGlobal(below), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&pinned, &move);
        QTest::mouseRelease(&pinned, Qt::LeftButton, {}, below.toPoint());
        QCOMPARE(pinned.rows()[1].ref, row);
        s.context.changes().undo();
        QCOMPARE(pinned.rows()[0].ref, row);

        QTest::mouseClick(&pinned, Qt::LeftButton, {}, pinAt(pinned, 0));
        QCOMPARE(pinned.rows().count(), 1);
        QVERIFY(pinned.rows()[0].ref != row);
    }

    void aDraggedHeaderMovesItsPanel()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        TimePanels& panels = *s.area.panels();
        std::vector<TimePanel*> shown;
        for (TimePanel* panel : panels.panels())
            if (panel->isVisible())
                shown.push_back(panel);
        QVERIFY(shown.size() >= 2);
        TimePanel* first = shown[0];
        TimePanel* second = shown[1];
        const QStringList before = panels.panelIds();
        const bool wasCollapsed = first->isCollapsed();
        const auto drag = [](TimePanel* panel, int dy) {
            PanelHeader* header = panel->header();
            const QPoint from(40, 12);
            QTest::mousePress(header, Qt::LeftButton, {}, from);
            const QPointF to = QPointF(from) + QPointF(0, dy);
            QMouseEvent move(QEvent::MouseMove, to, header->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(header, &move);
            QTest::mouseRelease(header, Qt::LeftButton, {}, header->mapFromGlobal(move.globalPosition().toPoint()));
        };
        drag(first, second->y() + second->height() / 2 + 4 - first->y() - 12);
        QVERIFY(panels.panelIds().indexOf(QString::fromStdString(first->id()))
                > panels.panelIds().indexOf(QString::fromStdString(second->id())));
        QCOMPARE(first->isCollapsed(), wasCollapsed); // The drag does not count as a click, which would close or open the panel.
        s.context.changes().undo();
        QCOMPARE(panels.panelIds(), before);
        drag(first, 2); // 2 pixels are too short for a drag: this is a click, which opens or closes the panel.
        QCOMPARE(first->isCollapsed(), !wasCollapsed);
        QCOMPARE(panels.panelIds(), before);
    }

    void upAndDownWalkTheRowsAndTheViewFollows()
    {
        Shown s(200);
        QTRY_VERIFY(s.isReady());
        s.time().setRow(s.row(0));
        for (int i = 0; i < 100; ++i)
            s.key(Qt::Key_Down);
        QCOMPARE(s.time().row(), s.row(100));
        const int top = s.graph->rows().top(100) - s.graph->findChild<QScrollBar*>()->value();
        QVERIFY(top >= 0 && top + 20 <= s.graph->height());
        s.key(Qt::Key_Up);
        QCOMPARE(s.time().row(), s.row(99));
    }

    /// Property: a jump shows its target a third from the edge; Back restores the earlier scroll position.
    void backRestoresTheScrolledPlace()
    {
        Shown s(200);
        QTRY_VERIFY(s.isReady());
        auto* bar = s.graph->findChild<QScrollBar*>();
        bar->setValue(100);
        s.time().jump({.row = s.graph->rows()[150].ref});
        QTRY_VERIFY(bar->value() > 1000);
        const int bottom = s.graph->rows().top(151) - bar->value();
        QVERIFY2(std::abs(bottom - s.graph->height() * 2 / 3) <= 20, qPrintable(QString::number(bottom)));
        s.time().back();
        QTRY_COMPARE(bar->value(), 100);
    }

    void pointAndCommaFollowTheArrows()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.time().setRow(s.row(1));
        s.time().setCursor(at(115)); // Row 1 was woken at 110 and wakes row 2 at 120, so its next arrow after 115 leads to row 2.
        s.key(Qt::Key_Period);
        QCOMPARE(s.time().row(), s.row(2));
        QCOMPARE(s.time().cursor(), at(120));
        s.time().setCursor(at(125));
        s.key(Qt::Key_Comma);
        QCOMPARE(s.time().row(), s.row(1));
    }

    void theFilterHidesRowsThatDoNotMatch()
    {
        Shown s(30);
        QTRY_VERIFY(s.isReady());
        s.area.panel("control-flow")->header()->filter()->setText("worker-2");
        QCOMPARE(s.graph->rows().count(), 11); // The filter matches worker-2 and worker-20 to worker-29.
    }

    void rowsThatRestInTheWindowAreHiddenAndComeBackWithIt()
    {
        Shown s(3, 4);
        QTRY_VERIFY(s.isReady());
        QCOMPARE(s.graph->rows().count(), 4); // Three workers and the last daemon, which runs at the end.
        s.time().setVisible({at(0), at(2000)});
        QTRY_COMPARE(s.graph->rows().count(), 3);
        s.time().setVisible({at(0), at(4000)});
        QTRY_COMPARE(s.graph->rows().count(), 4);
        s.area.axis().setHidesResting(false);
        QCOMPARE(s.graph->rows().count(), 7);
        const auto buttons = s.area.panel("control-flow")->header()->findChildren<QToolButton*>();
        const auto count = std::ranges::find_if(buttons, [](const QToolButton* it) { return it->text() == "7 threads"; });
        QVERIFY(count != buttons.end());
        QTest::mouseClick(*count, Qt::LeftButton);
        QVERIFY(s.area.axis().hidesResting());
        QTRY_COMPARE(s.graph->rows().count(), 4);
    }

    void theSelectedRowIsNotHiddenThoughItRests()
    {
        Shown s(3, 4);
        QTRY_VERIFY(s.isReady());
        s.area.axis().setHidesResting(false);
        const TrackRef daemon = s.row(4);
        s.area.axis().setHidesResting(true);
        QTRY_COMPARE(s.graph->rows().count(), 4);
        s.time().setRow(daemon); // Simulates a search or a click on an arrow.
        QTRY_COMPARE(s.graph->rows().count(), 5);
        QVERIFY(s.graph->selectedRow() >= 0);
        s.time().setVisible({at(0), at(2000)});
        QTRY_COMPARE(s.graph->rows().count(), 4);
        QVERIFY(s.graph->selectedRow() >= 0);
    }

    void aFilterFindsRowsThatRest()
    {
        Shown s(3, 4);
        QTRY_VERIFY(s.isReady());
        s.area.panel("control-flow")->header()->filter()->setText("daemon-1");
        QCOMPARE(s.graph->rows().count(), 1);
        // The text "aemon-1" does not match the beginning of a word in a row's name, so the sleeping thread stays hidden.
        s.area.panel("control-flow")->header()->filter()->setText("aemon-1");
        QCOMPARE(s.graph->rows().count(), 0);
        s.area.axis().setHidesResting(false);
        QCOMPARE(s.graph->rows().count(), 1);
    }

    void pinnedRowsStandOnTopAndAreKept()
    {
        Shown s(30);
        QTRY_VERIFY(s.isReady());
        s.time().setRow(s.row(20));
        s.area.togglePin();
        TrackPanel* panel = s.area.rowsPanel("control-flow");
        QCOMPARE(panel->pinnedGraph()->rows().count(), 1);
        QCOMPARE(panel->pinnedGraph()->rows()[0].ref, s.row(20));
        QVERIFY(panel->pinnedGraph()->isVisible());
        QVERIFY(panel->graph()->y() >= panel->pinnedGraph()->y() + panel->pinnedGraph()->height());

        Shown other(30);
        QTRY_VERIFY(other.isReady());
        other.area.restore(s.area.save());
        QCOMPARE(other.area.rowsPanel("control-flow")->pinnedGraph()->rows()[0].ref, s.row(20));
        other.time().setRow(s.row(20));
        other.area.togglePin();
        QVERIFY(!other.area.rowsPanel("control-flow")->pinnedGraph()->isVisible());
    }

    void theListHasTheBusiestFirst()
    {
        Shown s(3, 1);
        QTRY_VERIFY(s.isReady());
        s.area.axis().setHidesResting(false);
        s.area.toggleList();
        QTRY_COMPARE(s.graph->rows().count(), 4);
        QTRY_COMPARE(s.graph->rows()[3].name, QStringLiteral("daemon-0"));
        s.area.toggleList();
        QTRY_COMPARE(s.graph->rows()[0].name, QStringLiteral("worker-0"));
    }

    void collapsingAPanelGivesItsRoomToTheOthers()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        TimePanel* resources = s.area.panel("resources");
        const int before = s.graph->height();
        resources->setCollapsed(true);
        QCOMPARE(resources->height(), int(PanelHeader::Height));
        QVERIFY(s.graph->height() > before);
    }

    void aHundredThousandRowsAskOnlyForThoseInView()
    {
        Shown s(20);
        QTRY_VERIFY(s.isReady());
        std::vector<GraphRow> many;
        for (int i = 0; i < 100'000; ++i)
            many.push_back(s.graph->rows()[i % 20]);
        s.graph->setRows(many);
        QCOMPARE(s.graph->rows().height(), 2'000'000);
        QCOMPARE(s.graph->rowAt({600, 5}), 0);
        s.graph->findChild<QScrollBar*>()->setValue(1'000'000);
        QCOMPARE(s.graph->rowAt({600, 5}), 50'000);
        QVERIFY(!s.graph->grab().isNull());
    }

    void whatIsPaintedAgainInPartsLooksAsIfPaintedWhole_data()
    {
        QTest::addColumn<Density>("density");
        QTest::newRow("compact") << Density::Compact;
        QTest::newRow("normal") << Density::Normal;
    }
    void whatIsPaintedAgainInPartsLooksAsIfPaintedWhole()
    {
        QFETCH(Density, density);
        Shown s(60);
        s.area.axis().setDensity(density);
        s.area.axis().setShowsArrows(false); // Disables arrows, because an arrow from edge to edge repaints all rows.
        QTRY_VERIFY(s.isReady());
        auto* scroll = s.graph->findChild<QScrollBar*>();
        const auto move = [&](QPoint to) {
            QMouseEvent event(QEvent::MouseMove, QPointF(to), s.graph->mapToGlobal(QPointF(to)), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(s.graph, &event);
        };
        const std::vector<std::function<void()>> steps{
            [&] { move(s.place(2, 500)); },
            [&] { move(s.place(4, 800)); },
            [&] {
                s.time().setSelection({at(1000), at(2000)});
            },
            [&] {
                s.time().setSelection({at(1105), at(2530)});
            },
            [&] {
                s.time().setSelection({at(700), at(1200)});
            },
            [&] { QTest::mouseClick(s.graph, Qt::LeftButton, {}, s.place(3, 600)); },
            [&] { QTest::mouseClick(s.graph, Qt::LeftButton, {}, s.place(8, 600)); },
            [&] { scroll->setValue(57); },
            [&] { scroll->setValue(301); },
            [&] { scroll->setValue(120); },
            [&] {
                s.time().setVisible({at(1000), at(2000)});
            },
            [&] { s.time().pan(0.07); },
            [&] { s.time().setSelection({}); },
            [&] { s.time().setRow(s.row(12)); },
        };
        s.time().setHovered({});
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i]();
            QTRY_VERIFY(s.isReady());
            const QImage parts = s.graph->grab().toImage();
            s.graph->setEmptyText(QStringLiteral("Other words than before: %1").arg(i), {}); // Forces a complete repaint.
            const QImage whole = s.graph->grab().toImage();
            QVERIFY2(parts == whole, qPrintable(QString::number(i)));
        }
    }

    void theOverviewMovesTheWindow()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.time().setVisible({at(0), at(1000)});
        QWidget* strip = s.area.childAt(700, 20);
        QTest::mouseClick(strip, Qt::LeftButton, {}, {300 + 400, 20});
        QCOMPARE(s.time().visible(), (TimeRange{at(1500), at(2500)}));
    }

    void aViewCanBeDrawnWithoutAWindowAtAnyScale()
    {
        RenderRequest request;
        request.timeline = MadeTimeline::make(4);
        request.view = "control-flow";
        request.window = {at(0), at(4000)};
        request.size = {1100, 130};
        request.format.mode = TimeFormat::Mode::Utc;
        const Theme theme = Theme::make(Theme::Kind::Light);

        const QImage once = renderView(request, theme);
        const QImage twice = renderView(request, theme, 2);

        QCOMPARE(once.size(), QSize(1100, 130));
        QCOMPARE(twice.size(), QSize(2200, 260));
        // Row 0 (y 30 to 50) runs in user space from 150 to 350 ns: x 330 to 370. Its bar begins 4 pixels below the row's top.
        const QColor user = theme.color("thread.running-user");
        QCOMPARE(once.pixelColor(350, 30 + 5), user);
        QCOMPARE(once.pixelColor(350, 30 + 16), user);
        QCOMPARE(twice.pixelColor(700, 2 * 35), user);
        // A waiting state has half the height.
        QCOMPARE(once.pixelColor(325, 30 + 15), theme.color("thread.wait-cpu"));
        QVERIFY(once.pixelColor(325, 30 + 6) != theme.color("thread.wait-cpu"));
        // A sleeping state is drawn as a thin line: it has a pixel at 16, but none at 12.
        QCOMPARE(once.pixelColor(310, 30 + 16), theme.color("thread.sleeping"));
        QVERIFY(once.pixelColor(310, 30 + 12) != theme.color("thread.sleeping"));
    }
};

HELIO_TEST(TimeAreaTest)
#include "tst_time_area.moc"
