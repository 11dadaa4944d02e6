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
        ChangeHistory changes;
        ClockHistory steps(changes);
        const QSignalSpy choices(&steps, &ClockHistory::choiceChanged);
        steps.set(choiceOf(1), "offset of db");
        steps.set(choiceOf(2), "drift of db");
        QCOMPARE(changes.undoText(), QString("Drift of db"));
        QVERIFY(!changes.canRedo());

        changes.undo();

        QVERIFY(steps.choice() == choiceOf(1));
        QCOMPARE(changes.undoText(), QString("Offset of db"));
        QCOMPARE(changes.redoText(), QString("Drift of db"));
        changes.undo();
        QVERIFY(steps.choice() == ClockSettings());
        QVERIFY(!changes.canUndo());
        changes.undo(); // The call has no effect, because there is no step to undo.
        changes.redo();
        changes.redo();
        QVERIFY(steps.choice() == choiceOf(2));
        QVERIFY(!changes.canRedo());
        QCOMPARE(choices.size(), 6);
    }

    /// Property: changes of host names and of clocks share one undo history.
    void looksAreStepsBesideClocks()
    {
        ChangeHistory changes;
        ClockHistory steps(changes);
        const QSignalSpy choices(&steps, &ClockHistory::choiceChanged), looks(&steps, &ClockHistory::looksChanged);
        HostStyles named;
        named.hosts["db"] = {"Datenbank", 3};
        steps.set(choiceOf(1), "offset of db");
        steps.setLooks(named, "name of db");
        steps.setLooks(named, "name of db"); // This call adds no step, because the name is the same.
        steps.preview(choiceOf(2));
        steps.dropPreview();
        QVERIFY(steps.looks() == named);
        QVERIFY(steps.choice() == choiceOf(1));
        QCOMPARE(changes.undoText(), QString("Name of db"));
        changes.undo();
        QVERIFY(steps.looks() == HostStyles());
        QVERIFY(steps.choice() == choiceOf(1));
        changes.undo();
        QVERIFY(steps.choice() == ClockSettings());
        changes.redo();
        changes.redo();
        QVERIFY(steps.looks() == named);
        QCOMPARE(looks.size(), 3);
        QCOMPARE(choices.size(), 5);
        steps.begin(choiceOf(4));
        QVERIFY(steps.looks() == HostStyles());
        QVERIFY(!changes.canUndo());
    }

    void aNewStepEndsWhatWasUndone()
    {
        ChangeHistory changes;
        ClockHistory steps(changes);
        steps.set(choiceOf(1), "a");
        steps.set(choiceOf(2), "b");
        changes.undo();
        steps.set(choiceOf(3), "c");
        QVERIFY(!changes.canRedo());
        changes.undo();
        QVERIFY(steps.choice() == choiceOf(1));
    }

    void whatIsSoAlreadyIsNoStep()
    {
        ChangeHistory changes;
        ClockHistory steps(changes);
        const QSignalSpy changed(&changes, &ChangeHistory::changed);
        steps.set({}, "nothing");
        QVERIFY(!changes.canUndo());
        QCOMPARE(changed.size(), 0);
    }

    void aDragIsOneStep()
    {
        ChangeHistory changes;
        ClockHistory steps(changes);
        for (int i = 1; i <= 5; ++i)
            steps.preview(choiceOf(i));
        QVERIFY(steps.isPreviewing() && !changes.canUndo());
        QVERIFY(steps.choice() == choiceOf(5));

        steps.keep("offset of db");

        QVERIFY(!steps.isPreviewing());
        changes.undo();
        QVERIFY(steps.choice() == ClockSettings());
        QVERIFY(!changes.canUndo());
    }

    void aDragThatIsGivenUpLeavesNothing()
    {
        ChangeHistory changes;
        ClockHistory steps(changes);
        steps.set(choiceOf(1), "a");
        steps.preview(choiceOf(2));
        steps.dropPreview();
        QVERIFY(steps.choice() == choiceOf(1));
        steps.preview(choiceOf(3));
        changes.undo(); // Undoes the preview only.
        QVERIFY(steps.choice() == choiceOf(1));
        QVERIFY(changes.canUndo());
        steps.preview(choiceOf(4));
        steps.preview(choiceOf(1));
        steps.keep("back where it was");
        QCOMPARE(changes.undoText(), QString("A"));
    }

    void otherTracesBeginWithoutAWayBack()
    {
        ChangeHistory changes;
        ClockHistory steps(changes);
        steps.set(choiceOf(1), "a");
        steps.preview(choiceOf(2));
        steps.begin(choiceOf(7));
        QVERIFY(steps.choice() == choiceOf(7));
        QVERIFY(!changes.canUndo() && !changes.canRedo() && !steps.isPreviewing());
    }
};

HELIO_TEST(ClockStepsTest)
#include "tst_clock_history.moc"
