// Times at which a view repeats its query (DebouncedQuery).

#include "tests/support/gate.h"
#include "tests/support/test_program.h"
#include "widgets/async/debounced_query.h"

#include <QScopeGuard>
#include <QTest>

using namespace helio;

namespace {

/// A view that counts its queries and their results.
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
    /// Starts a query that returns no result before the gate opens.
    void askAt(test::Gate& gate)
    {
        nextGate = &gate;
        answer.soon();
        [&] { QTRY_COMPARE(asked, 1); }();
        QCoreApplication::processEvents(); // A posted job starts only after all pending events were processed, so they are processed here.
        gate.waitUntilBlocked();
    }

    int asked = 0;
    int begun = 0;
    int came = 0;
    test::Gate* nextGate = nullptr; ///< Gate that blocks the next query; nullptr for none.
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
        const auto opening = qScopeGuard([&] { gate.open(); }); // Opens the gate even if a check fails, so that the test ends.
        asking.askAt(gate);
        for (int i = 0; i < 5; ++i)
            asking.answer.queueQuery(); // queueQuery() does not cancel the running query.
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
        const auto opening = qScopeGuard([&] { gate.open(); }); // Opens the gate even if a check fails, so that the test ends.
        asking.askAt(gate);
        asking.answer.queueQuery();
        asking.answer.soon();
        QTRY_COMPARE(asking.asked, 2);
        gate.open();
        QTRY_COMPARE(asking.came, 1); // Only the second result arrives; the first one was outdated.
        // No further query is scheduled: the second query began after all changes, so its result includes them.
        QVERIFY(!asking.answer.isDue());
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
        asking.answer.setPause({1'000'000, 0});
        const auto opening = qScopeGuard([&] { gate.open(); }); // Opens the gate even if a check fails, so that the test ends.
        asking.askAt(gate);
        asking.answer.queueQuery();
        gate.open();
        QTRY_COMPARE(asking.came, 1);
        QVERIFY(asking.answer.isDue());
        asking.answer.now(); // Simulates a view that becomes visible.
        QTRY_COMPARE(asking.came, 2);
        QVERIFY(!asking.answer.isDue());
    }

    void whatIsCancelledNeitherComesNorIsAskedAgain()
    {
        test::Gate gate;
        Asking asking;
        const auto opening = qScopeGuard([&] { gate.open(); }); // Opens the gate even if a check fails, so that the test ends.
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
#include "tst_debounced_query.moc"
