// When a view asks anew.

#include "tests/support/gate.h"
#include "tests/support/test_program.h"
#include "widgets/async/debounced_query.h"

#include <QScopeGuard>
#include <QTest>

using namespace helio;

namespace {

/// A view that counts what it asked and what came.
struct Asking {
    explicit Asking(DebouncedQuery::Pace pace = DebouncedQuery::Pace::Debounce)
        : answer(pace, 1, [this] { ask(); })
    {
    }
    void ask()
    {
        ++asked;
        test::Gate* gate = std::exchange(nextGate, nullptr);
        answer.post([this, gate](std::stop_token stop) -> LatestTask::Delivery {
            answer.deliver(stop, [this] { ++begun; });
            if (gate)
                gate->pass();
            return [this] { ++came; };
        });
    }
    /// One is asked and does not come before the gate opens.
    void askAt(test::Gate& gate)
    {
        nextGate = &gate;
        answer.soon();
        [&] { QTRY_COMPARE(asked, 1); }();
        QCoreApplication::processEvents(); // A job begins once what is at hand is done.
        gate.waitForVisitor();
    }

    int asked = 0;
    int begun = 0;
    int came = 0;
    test::Gate* nextGate = nullptr; ///< Where the next job waits.
    DebouncedQuery answer;
};

} // namespace

class FreshAnswerTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsReadFurtherWhileOneIsAskedIsAskedForAfterIt()
    {
        test::Gate gate;
        Asking asking;
        const auto opening = qScopeGuard([&] { gate.open(); }); // A check that fails does not wait for ever.
        asking.askAt(gate);
        for (int i = 0; i < 5; ++i)
            asking.answer.queueQuery(); // What is asked is not given up for it.
        QVERIFY(!asking.answer.isDue() && asking.answer.isBusy());
        QTRY_COMPARE(asking.begun, 1);
        gate.open();
        QTRY_COMPARE(asking.came, 2);
        QCOMPARE(asking.asked, 2);
        QVERIFY(!asking.answer.isDue() && !asking.answer.isBusy());
    }

    void whatIsReadFurtherWhileNothingIsAskedIsAskedForSoon()
    {
        Asking asking;
        asking.answer.queueQuery();
        QVERIFY(asking.answer.isDue());
        QTRY_COMPARE(asking.came, 1);
    }

    void anotherQuestionIsAskedAtOnce()
    {
        test::Gate gate;
        Asking asking;
        const auto opening = qScopeGuard([&] { gate.open(); }); // A check that fails does not wait for ever.
        asking.askAt(gate);
        asking.answer.queueQuery();
        asking.answer.soon();
        QTRY_COMPARE(asking.asked, 2);
        gate.open();
        QTRY_COMPARE(asking.came, 1); // The first one's came too late.
        QVERIFY(!asking.answer.isDue()); // What was read further is in the second.
    }

    void changesThatComeTogetherAreAskedForOnce()
    {
        for (const auto pace : {DebouncedQuery::Pace::Debounce, DebouncedQuery::Pace::Live}) {
            Asking asking(pace);
            for (int i = 0; i < 3; ++i)
                asking.answer.soon();
            QTRY_COMPARE(asking.came, 1);
            QCOMPARE(asking.asked, 1);
        }
    }

    void afterAnAnswerThatWasOldItRests()
    {
        test::Gate gate;
        Asking asking;
        asking.answer.setRest({1'000'000, 0});
        const auto opening = qScopeGuard([&] { gate.open(); }); // A check that fails does not wait for ever.
        asking.askAt(gate);
        asking.answer.queueQuery();
        gate.open();
        QTRY_COMPARE(asking.came, 1);
        QVERIFY(asking.answer.isDue());
        asking.answer.now(); // Somebody looks.
        QTRY_COMPARE(asking.came, 2);
        QVERIFY(!asking.answer.isDue());
    }

    void whatIsCancelledNeitherComesNorIsAskedAgain()
    {
        test::Gate gate;
        Asking asking;
        const auto opening = qScopeGuard([&] { gate.open(); }); // A check that fails does not wait for ever.
        asking.askAt(gate);
        asking.answer.queueQuery();
        asking.answer.cancel();
        gate.open();
        asking.answer.soon();
        QTRY_COMPARE(asking.came, 1);
        QCOMPARE(asking.asked, 2);
    }
};

HELIO_TEST(FreshAnswerTest)
#include "tst_fresh_answer.moc"
