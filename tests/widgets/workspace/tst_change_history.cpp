#include "tests/support/test_program.h"
#include "widgets/workspace/bookmark_changes.h"
#include "widgets/workspace/change_history.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

/// A value with a history of its changes.
struct Value {
    explicit Value(ChangeHistory& its)
        : history(its)
    {
    }
    void set(int to, const QString& mergeKey = {})
    {
        const int from = std::exchange(now, to);
        history.add(&owner,
                    {.text = QString("Set %1").arg(to),
                     .undo = [this, from] { now = from; },
                     .redo = [this, to] { now = to; },
                     .mergeKey = mergeKey,
                     .before = from,
                     .after = to});
    }

    ChangeHistory& history;
    QObject owner;
    int now = 0;
};

} // namespace

class ChangeHistoryTest : public QObject {
    Q_OBJECT

private slots:
    void changesAreUndoneInReverseOrder()
    {
        ChangeHistory history;
        QSignalSpy changed(&history, &ChangeHistory::changed);
        Value a(history), b(history);
        a.set(1);
        b.set(2);
        a.set(3);
        QCOMPARE(history.undoText(), QString("Set 3"));
        history.undo();
        QCOMPARE(a.now, 1);
        QCOMPARE(history.undoText(), QString("Set 2"));
        QCOMPARE(history.redoText(), QString("Set 3"));
        history.undo();
        history.undo();
        QVERIFY(!history.canUndo());
        QCOMPARE(a.now, 0);
        QCOMPARE(b.now, 0);
        history.undo(); // The call has no effect, because no change is left to undo.
        history.redo();
        QCOMPARE(a.now, 1);
        b.set(7);
        QVERIFY(!history.canRedo()); // A new change discards the changes that were undone.
        QVERIFY(changed.size() >= 8);
    }

    void changesWithTheSameKeyMerge()
    {
        ChangeHistory history;
        Value a(history), b(history);
        a.set(1, "typed");
        a.set(2, "typed");
        a.set(3, "typed");
        history.undo();
        QCOMPARE(a.now, 0);
        QVERIFY(!history.canUndo());
        history.redo();
        QCOMPARE(a.now, 3);
        a.set(4, "typed"); // This change is not merged with the preceding one, because that change was undone and redone.
        QCOMPARE(history.undoText(), QString("Set 4"));
        history.undo();
        QCOMPARE(a.now, 3);
        a.set(5, "typed");
        history.endMerging();
        a.set(6, "typed");
        b.set(1, "typed"); // This change is not merged, because it has another owner.
        history.undo();
        history.undo();
        QCOMPARE(a.now, 5);
        QCOMPARE(b.now, 0);
    }

    /// Property: undo() during a preview ends the preview and reverts no change; changed() tells when a preview begins and ends.
    void undoEndsAPreviewOnly()
    {
        ChangeHistory history;
        Value a(history);
        a.set(1);
        int drops = 0;
        QSignalSpy changed(&history, &ChangeHistory::changed);
        history.setPreview([&] { ++drops; });
        QVERIFY(history.hasPreview());
        QCOMPARE(changed.size(), 1);
        history.undo();
        QVERIFY(!history.hasPreview());
        QCOMPARE(changed.size(), 2);
        QCOMPARE(drops, 1);
        QCOMPARE(a.now, 1);
        history.undo();
        QCOMPARE(a.now, 0);
        history.setPreview([&] { ++drops; });
        history.redo();
        QCOMPARE(drops, 2);
        QCOMPARE(a.now, 1);
    }

    void mergedChangesThatCancelEachOtherVanish()
    {
        ChangeHistory history;
        Value a(history);
        a.set(1, "typed");
        a.set(0, "typed");
        QVERIFY(!history.canUndo());
    }

    void oneExperimentIsForgottenAndTheOtherKept()
    {
        ChangeHistory history;
        Value a(history), b(history);
        history.setOwnerName(&b.owner, "B");
        a.set(1);
        b.set(2);
        a.set(3);
        b.set(4);
        b.set(5);
        history.undo();
        history.forget(&a.owner);
        QCOMPARE(a.now, 3); // forget() removes the changes of `a` from the history, but does not change the value.
        QCOMPARE(b.now, 4);
        QCOMPARE(history.redoText(), QString("Set 5 (B)"));
        history.redo();
        QCOMPARE(b.now, 5);
        for (int i = 0; i < 5; ++i)
            history.undo();
        QCOMPARE(a.now, 3);
        QCOMPARE(b.now, 0);
    }

    void undoEndsAPreviewFirst()
    {
        ChangeHistory history;
        Value a(history);
        a.set(1);
        int dropped = 0;
        history.setPreview([&] { ++dropped; });
        history.undo();
        QCOMPARE(dropped, 1);
        QCOMPARE(a.now, 1);
        history.undo();
        QCOMPARE(a.now, 0);
    }

    void nothingIsRecordedDuringAPauseAndWhileUndoing()
    {
        ChangeHistory history;
        QObject owner;
        {
            const ChangeHistory::Pause pause(history);
            history.add(&owner, {.text = "restored", .undo = [] {}, .redo = [] {}});
        }
        QVERIFY(!history.canUndo());
        Value a(history);
        history.add(&owner, {.text = "outer", .undo = [&] { a.set(1); }, .redo = [] {}});
        history.undo();
        QCOMPARE(a.now, 1);
        QVERIFY(!history.canUndo());
        QCOMPARE(history.redoText(), QString("Outer"));
    }

    void bookmarksAreUndone()
    {
        ChangeHistory history;
        Bookmarks bookmarks;
        QObject owner;
        new BookmarkChanges(bookmarks, history, &owner);
        const auto names = [&] {
            QStringList all;
            for (const Bookmark& it : bookmarks.all())
                all << it.name;
            return all.join(' ');
        };
        const Timestamp at{Duration(1000)}, later{Duration(2000)};
        bookmarks.add({later, later}, "late");
        bookmarks.add({at, later}, "range");
        bookmarks.rename(0, "long");
        bookmarks.remove(1);
        QCOMPARE(history.undoText(), QString("Remove bookmark late"));
        history.undo();
        QCOMPARE(names(), QString("long late"));
        QCOMPARE(history.undoText(), QString("Rename bookmark range"));
        history.undo();
        QCOMPARE(names(), QString("range late"));
        QCOMPARE(history.undoText(), QString("Add bookmark range"));
        history.redo();
        QCOMPARE(names(), QString("long late"));
        bookmarks.setAll({}); // This call is no change made by the user, so it is not recorded.
        QCOMPARE(history.undoText(), QString("Rename bookmark range"));
    }

    void movesOfAMarkerAreOneChange()
    {
        ChangeHistory history;
        Bookmarks bookmarks;
        QObject owner;
        new BookmarkChanges(bookmarks, history, &owner);
        for (const int ns : {10, 20, 30})
            bookmarks.putMarker(MarkerA, Timestamp(Duration(ns)));
        QCOMPARE(history.undoText(), QString("Move marker A"));
        history.undo();
        QCOMPARE(markerAt(bookmarks, MarkerA).value(), Timestamp(Duration(10)));
        history.undo();
        QVERIFY(!markerAt(bookmarks, MarkerA));
        QVERIFY(!history.canUndo());
        history.redo();
        bookmarks.putMarker(MarkerA, Timestamp(Duration(10)));
        QCOMPARE(history.undoText(), QString("Remove marker A"));
    }

    void timesOfTheHistoryFollowTheClock()
    {
        ChangeHistory history;
        Bookmarks bookmarks;
        QObject owner;
        new BookmarkChanges(bookmarks, history, &owner);
        const Timestamp at{Duration(1000)};
        bookmarks.add({at, at}, "x");
        bookmarks.remove(0);
        bookmarks.changeClock([](Timestamp t) { return t + Duration(5); });
        history.undo();
        QCOMPARE(bookmarks.all().at(0).range.begin, at + Duration(5));
    }
};

HELIO_TEST(ChangeHistoryTest)
#include "tst_change_history.moc"
