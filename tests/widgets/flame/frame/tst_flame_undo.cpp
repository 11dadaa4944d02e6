// Property: one key undoes the user's steps in a flame graph, latest first.

#include "tests/support/test_program.h"
#include "tests/widgets/flame/frame/made_content.h"
#include "widgets/flame/frame/flame_undo.h"

#include <QTest>

using namespace helio;

class FlameStepsTest : public QObject {
    Q_OBJECT

private:
    QStringList m_undone;
    FlameUndoStack::Undo undo(const QString& name)
    {
        return [this, name] {
            m_undone << name;
            return true;
        };
    }

private slots:
    void init() { m_undone.clear(); }

    void theLatestIsUndoneFirst()
    {
        FlameView graph;
        FlameUndoStack steps(graph);
        QVERIFY(!steps.stepBack());
        steps.note(undo("only"));
        steps.note(undo("without"));
        QVERIFY(steps.stepBack() && steps.stepBack());
        QCOMPARE(m_undone, (QStringList{"without", "only"}));
        QVERIFY(!steps.stepBack());
    }

    void aZoomThatCameLaterIsTheGraphsToUndoFirst()
    {
        FlameView graph;
        graph.resize(800, 300);
        graph.setContent(madeChain(4));
        FlameUndoStack steps(graph);
        steps.note(undo("only"));
        graph.zoomTo(0, 2);
        QVERIFY(!steps.stepBack());
        QVERIFY(graph.zoomBack());
        QVERIFY(steps.stepBack());
        QCOMPARE(m_undone, QStringList{"only"});
    }

    void whatWasUndoneOtherwiseIsNoStep()
    {
        FlameView graph;
        FlameUndoStack steps(graph);
        steps.note(undo("only"));
        steps.note([] { return false; });
        QVERIFY(steps.stepBack());
        QCOMPARE(m_undone, QStringList{"only"});
    }

    void undoingIsNoStepItself()
    {
        FlameView graph;
        FlameUndoStack steps(graph);
        steps.note([&] {
            steps.note(undo("again"));
            return true;
        });
        QVERIFY(steps.stepBack());
        QVERIFY(!steps.stepBack());
    }

    void aSearchIsOneStepUntilItEnds()
    {
        FlameView graph;
        FlameUndoStack steps(graph);
        for (int letters = 0; letters < 3; ++letters)
            steps.recordSearch(true, undo("search"));
        steps.note(undo("only"));
        QVERIFY(steps.stepBack() && steps.stepBack());
        QCOMPARE(m_undone, (QStringList{"only", "search"}));
        QVERIFY(!steps.stepBack());
        steps.recordSearch(true, undo("search"));
        steps.recordSearch(false, {});
        QVERIFY(!steps.stepBack());
    }
};

HELIO_TEST(FlameStepsTest)
#include "tst_flame_undo.moc"
