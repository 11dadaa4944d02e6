// The call stack panel: selecting calls with the mouse, and going from call to call with keys.

#include "tests/widgets/docks/shown_calls.h"

using namespace helio;

class CallWalkTest : public QObject {
    Q_OBJECT

private slots:
    void aClickSelectsTheCallAndItsRange()
    {
        Shown s;
        s.click(2, 2500); // Selects the call of render().
        QCOMPARE(s.window().row(), s.depth("calls:100/2"));
        QCOMPARE(s.window().selection(), between(1200, 2800));
    }

    void aCallFarShorterThanAPixelCanBeClicked()
    {
        Shown s;
        s.window().setVisible(between(0, 4000));
        s.click(3, 2000);
        QCOMPARE(s.window().row(), s.depth("calls:100/3"));
        QCOMPARE(s.window().selection(), between(2000, 2001));
        QCOMPARE(s.window().cursor(), at(2000));
    }

    void downGoesToACalleeAndUpToTheCaller()
    {
        Shown s;
        s.click(1, 1100); // Selects the call of main() at a time between two of its callees.
        QCOMPARE(s.window().selection(), between(0, 3000));
        s.press(Qt::Key_Down);
        QCOMPARE(s.window().selection(), between(1200, 2800)); // The Down key went to main's longest callee.
        QCOMPARE(s.window().row(), s.depth("calls:100/2"));
        s.press(Qt::Key_Down);
        QCOMPARE(s.window().selection(), between(1300, 1500));
        s.press(Qt::Key_Right);
        QCOMPARE(s.window().selection(), between(2000, 2001));
        s.press(Qt::Key_Up);
        QCOMPARE(s.window().selection(), between(1200, 2800));
        QCOMPARE(s.window().row(), s.depth("calls:100/2"));
        s.press(Qt::Key_Up);
        QCOMPARE(s.window().selection(), between(0, 3000));
        s.press(Qt::Key_Up); // The Up key has no effect, because main has no caller.
        QCOMPARE(s.window().row(), s.depth("calls:100/1"));
    }

    void upAndDownStopAtTheEndsOfAStack()
    {
        Shown s;
        QSignalSpy remarks(&s.context, &ViewContext::remark);
        s.click(1, 1100); // Selects the call of main().
        s.press(Qt::Key_Up);
        QCOMPARE(remarks.takeLast()[0].toString(), QString("No caller"));
        for (int i = 0; i < 8; ++i)
            s.press(Qt::Key_Down); // The first three presses go to render, read and write; the others have no effect.
        QCOMPARE(s.window().row(), s.depth("calls:100/4"));
        QCOMPARE(s.window().selection(), between(1350, 1400));
        QCOMPARE(remarks.takeLast()[0].toString(), QString("No callee"));
        // Selects the call parse(). It has no callee, so the Down key keeps it selected, although the stack has deeper rows.
        s.click(2, 500);
        s.press(Qt::Key_Down);
        QCOMPARE(s.window().row(), s.depth("calls:100/2"));
        QCOMPARE(s.window().selection(), between(100, 1000));
        s.click(6, 600); // Selects the call loop(), the outermost call of another thread. The Up key and the Down key keep it selected.
        s.press(Qt::Key_Up);
        QCOMPARE(s.window().row(), s.depth("calls:555/1"));
        s.press(Qt::Key_Down);
        QCOMPARE(s.window().row(), s.depth("calls:555/1"));
    }

    void rowsAreWalkedWhereNoCallIsSelected()
    {
        Shown s;
        s.window().setRow(s.depth("calls:100/4"));
        s.window().setCursor(at(3500));
        s.press(Qt::Key_Down);
        QCOMPARE(s.window().row(), s.graph().rows()[5].ref); // The row of the thread's states is selected.
        s.press(Qt::Key_Up);
        QCOMPARE(s.window().row(), s.depth("calls:100/4"));
    }

    void rightOfTheLastCallOfADepthStaysThere()
    {
        Shown s;
        s.click(3, 2000);
        s.press(Qt::Key_Right);
        QCOMPARE(s.window().row(), s.depth("calls:100/3"));
        QCOMPARE(s.window().cursor(), at(2000));
        QCOMPARE(s.window().selection(), between(2000, 2001));
    }

    void aRowThatIsSelectedBeforeItComesIsBroughtIntoView()
    {
        const auto timeline = MadeCalls::make();
        const TrackRef last = depthOf(*timeline, "calls:555/1");
        ViewContext context;
        TimeArea area(context);
        area.resize(1300, 300);
        area.show();
        context.time().setRow(last);
        context.setTimeline(timeline);
        QTRY_VERIFY(area.rowsPanel(View) && area.rowsPanel(View)->graph()->rows().count() == 7);
        TimeGraph& graph = *area.rowsPanel(View)->graph();
        const int row = graph.rows().find(last);
        const auto* scroll = graph.findChild<QScrollBar*>();
        QTRY_VERIFY(graph.rows().top(row + 1) > graph.height()); // The panel is not high enough for all rows.
        QTRY_VERIFY(graph.rows().top(row) >= scroll->value() && graph.rows().top(row) < scroll->value() + graph.height());
    }

    void aPanelThatGetsLowerKeepsTheSelectedRowInView()
    {
        Shown s;
        const TrackRef last = s.depth("calls:555/1");
        s.window().setRow(last);
        TimeGraph& graph = s.graph();
        const int row = graph.rows().find(last);
        const auto* scroll = graph.findChild<QScrollBar*>();
        QCOMPARE(scroll->value(), 0);
        constexpr int Height = 60;
        QVERIFY(graph.rows().top(row) > Height && graph.rows().top(row + 1) <= graph.height());
        graph.resize(graph.width(), Height);
        QVERIFY(graph.rows().top(row) >= scroll->value());
        QVERIFY(graph.rows().top(row + 1) <= scroll->value() + Height);
    }

    void aCallThatIsWalkedToAsARowIsSelected()
    {
        Shown s;
        s.window().setCursor(at(1450));
        s.window().setRow(s.graph().rows()[5].ref); // Selects the row of the thread's states.
        s.press(Qt::Key_Down);
        QCOMPARE(s.window().row(), s.depth("calls:555/1"));
        QCOMPARE(s.window().selection(), between(500, 4000));
    }
};

HELIO_TEST(CallWalkTest)
#include "tst_call_walk.moc"
