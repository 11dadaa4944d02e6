#include "tests/support/test_program.h"
#include "widgets/workspace/clock_history.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

ClockSettings choiceOf(std::int64_t ns)
{
    ClockSettings choice;
    choice.hosts["db"] = {ClockLine{hostTime(0), timestamp(ns), 0}, {}};
    return choice;
}

} // namespace

class ClockStepsTest : public QObject {
    Q_OBJECT

private slots:
    void aStepIsUndoneAndDoneAgain()
    {
        ClockHistory steps;
        const QSignalSpy changes(&steps, &ClockHistory::choiceChanged);
        steps.set(choiceOf(1), "offset of db");
        steps.set(choiceOf(2), "drift of db");
        QCOMPARE(steps.undoText(), QString("drift of db"));
        QVERIFY(!steps.canRedo());

        steps.undo();

        QVERIFY(steps.choice() == choiceOf(1));
        QCOMPARE(steps.undoText(), QString("offset of db"));
        QCOMPARE(steps.redoText(), QString("drift of db"));
        steps.undo();
        QVERIFY(steps.choice() == ClockSettings());
        QVERIFY(!steps.canUndo());
        steps.undo(); // No effect: no step to undo.
        steps.redo();
        steps.redo();
        QVERIFY(steps.choice() == choiceOf(2));
        QVERIFY(!steps.canRedo());
        QCOMPARE(changes.size(), 6);
    }

    /// Property: changes of host names and of clocks share one undo history.
    void looksAreStepsBesideClocks()
    {
        ClockHistory steps;
        const QSignalSpy choices(&steps, &ClockHistory::choiceChanged), looks(&steps, &ClockHistory::looksChanged);
        HostStyles named;
        named.hosts["db"] = {"Datenbank", 3};
        steps.set(choiceOf(1), "offset of db");
        steps.setLooks(named, "name of db");
        steps.setLooks(named, "name of db"); // No step: the name is the same.
        steps.preview(choiceOf(2));
        steps.dropPreview();
        QVERIFY(steps.looks() == named);
        QVERIFY(steps.choice() == choiceOf(1));
        QCOMPARE(steps.undoText(), QString("name of db"));
        steps.undo();
        QVERIFY(steps.looks() == HostStyles());
        QVERIFY(steps.choice() == choiceOf(1));
        steps.undo();
        QVERIFY(steps.choice() == ClockSettings());
        steps.redo();
        steps.redo();
        QVERIFY(steps.looks() == named);
        QCOMPARE(looks.size(), 3);
        QCOMPARE(choices.size(), 5);
        steps.begin(choiceOf(4));
        QVERIFY(steps.looks() == HostStyles());
        QVERIFY(!steps.canUndo());
    }

    void aNewStepEndsWhatWasUndone()
    {
        ClockHistory steps;
        steps.set(choiceOf(1), "a");
        steps.set(choiceOf(2), "b");
        steps.undo();
        steps.set(choiceOf(3), "c");
        QVERIFY(!steps.canRedo());
        steps.undo();
        QVERIFY(steps.choice() == choiceOf(1));
    }

    void whatIsSoAlreadyIsNoStep()
    {
        ClockHistory steps;
        const QSignalSpy changed(&steps, &ClockHistory::stepsChanged);
        steps.set({}, "nothing");
        QVERIFY(!steps.canUndo());
        QCOMPARE(changed.size(), 0);
    }

    void aDragIsOneStep()
    {
        ClockHistory steps;
        for (int i = 1; i <= 5; ++i)
            steps.preview(choiceOf(i));
        QVERIFY(steps.isPreviewing() && !steps.canUndo());
        QVERIFY(steps.choice() == choiceOf(5));

        steps.keep("offset of db");

        QVERIFY(!steps.isPreviewing());
        steps.undo();
        QVERIFY(steps.choice() == ClockSettings());
        QVERIFY(!steps.canUndo());
    }

    void aDragThatIsGivenUpLeavesNothing()
    {
        ClockHistory steps;
        steps.set(choiceOf(1), "a");
        steps.preview(choiceOf(2));
        steps.dropPreview();
        QVERIFY(steps.choice() == choiceOf(1));
        steps.preview(choiceOf(3));
        steps.undo(); // Undoes the preview only.
        QVERIFY(steps.choice() == choiceOf(1));
        QVERIFY(steps.canUndo());
        steps.preview(choiceOf(4));
        steps.preview(choiceOf(1));
        steps.keep("back where it was");
        QCOMPARE(steps.undoText(), QString("a"));
    }

    void otherTracesBeginWithoutAWayBack()
    {
        ClockHistory steps;
        steps.set(choiceOf(1), "a");
        steps.preview(choiceOf(2));
        steps.begin(choiceOf(7));
        QVERIFY(steps.choice() == choiceOf(7));
        QVERIFY(!steps.canUndo() && !steps.canRedo() && !steps.isPreviewing());
    }

    void theLatestOfSeveralIsKnown()
    {
        ClockHistory a, b;
        QCOMPARE(a.undoOrder(), std::size_t(0));
        a.set(choiceOf(1), "a");
        b.set(choiceOf(1), "b");
        QVERIFY(a.undoOrder() < b.undoOrder());
        b.undo();
        QCOMPARE(b.undoOrder(), std::size_t(0));
        QVERIFY(b.redoOrder() > a.undoOrder());
    }
};

HELIO_TEST(ClockStepsTest)
#include "tst_clock_history.moc"
