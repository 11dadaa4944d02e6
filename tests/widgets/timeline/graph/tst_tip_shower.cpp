#include "tests/support/gate.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/tips/tip_controller.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>

using namespace helio;

namespace {

TipContent words(const QString& title)
{
    TipContent content;
    content.title = title;
    return content;
}

/// A window with a widget at (40, 30) that has a tooltip.
struct Shown {
    Shown()
    {
        window.resize(800, 600);
        owner.setGeometry(40, 30, 700, 500);
        window.show();
    }
    void ask(const QString& title)
    {
        tips.ask([title](std::stop_token, const TipController::Show& show) { show(words(title)); }, atTheRow);
    }
    StateTip* popup() { return window.findChild<StateTip*>(); }
    QString title() { return tips.isShown() ? popup()->accessibleName().trimmed() : QString(); }

    QWidget window;
    QWidget owner{&window};
    TipController tips{owner};
    int placed = 0;
    TipController::FindPosition atTheRow = [this] {
        ++placed;
        return TipPosition{{100, 110}, 100, 120};
    };
};

} // namespace

class TipShowerTest : public QObject {
    Q_OBJECT

private slots:
    void thePointerRestsBeforeATipIsWanted()
    {
        Shown s;
        QSignalSpy wanted(&s.tips, &TipController::wanted);
        s.tips.follow();
        QCOMPARE(wanted.count(), 0);
        QTRY_COMPARE(wanted.count(), 1);

        s.tips.follow();
        s.tips.hide();
        QTest::qWait(500);
        QCOMPARE(wanted.count(), 1);
    }

    void aTipThatIsShownFollowsThePointer()
    {
        Shown s;
        s.ask("futex");
        QTRY_COMPARE(s.title(), "futex");
        QSignalSpy wanted(&s.tips, &TipController::wanted);
        s.tips.follow();
        QCOMPARE(wanted.count(), 1);
    }

    /// Property: the tooltip may exceed its widget, because it is a child of the window.
    void itStandsBelowTheBandThatItSpeaksOf()
    {
        Shown s;
        s.ask("futex");
        QTRY_VERIFY(s.tips.isShown());
        QCOMPARE(s.popup()->parentWidget(), &s.window);
        QVERIFY(s.popup()->geometry().contains(QPoint(40 + 150, 30 + 140)));
        QVERIFY(s.popup()->geometry().top() > 0);
        s.tips.hide();
        QVERIFY(!s.popup()->isVisible());
    }

    void laterWordsReplaceTheFirst()
    {
        Shown s;
        test::Gate gate;
        s.tips.ask(
            [&gate](std::stop_token, const TipController::Show& show) {
                show(words("first"));
                gate.pass();
                show(words("second"));
            },
            s.atTheRow);
        QTRY_COMPARE(s.title(), "first");
        gate.open();
        QTRY_COMPARE(s.title(), "second");
    }

    void wordsThatComeTooLateAreNotShown()
    {
        Shown s;
        test::Gate gate;
        std::atomic<bool> isFound = false;
        s.tips.ask(
            [&](std::stop_token, const TipController::Show& show) {
                gate.pass();
                show(words("late"));
                isFound = true;
            },
            s.atTheRow);
        QCoreApplication::processEvents();
        gate.waitUntilBlocked();
        s.tips.hide();
        gate.open();
        QTRY_VERIFY(isFound);
        QCoreApplication::processEvents();
        QCOMPARE(s.placed, 0);
        s.ask("next");
        QTRY_COMPARE(s.title(), "next");
    }

    void nothingToSayHidesWhatIsShown()
    {
        Shown s;
        s.ask("futex");
        QTRY_VERIFY(s.tips.isShown());
        s.tips.ask([](std::stop_token, const TipController::Show& show) { show(std::nullopt); }, s.atTheRow);
        QTRY_VERIFY(!s.tips.isShown());
    }

    void whatIsNowhereAnyMoreHidesIt()
    {
        Shown s;
        s.ask("futex");
        QTRY_VERIFY(s.tips.isShown());
        s.atTheRow = [] { return std::nullopt; };
        s.ask("gone");
        QTRY_VERIFY(!s.tips.isShown());
    }

    void theWindowMayTakeThePopupAlong()
    {
        auto s = std::make_unique<Shown>();
        s->ask("futex");
        QTRY_VERIFY(s->tips.isShown());
        delete s->popup();
        QVERIFY(!s->tips.isShown());
        s->tips.hide();
        s->ask("gone");
        QTRY_COMPARE(s->placed, 2);
        QVERIFY(!s->tips.isShown());
    }
};

HELIO_TEST(TipShowerTest)
#include "tst_tip_shower.moc"
