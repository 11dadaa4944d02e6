// When a view of a comparison asks anew.

#include "tests/support/gate.h"
#include "tests/support/test_program.h"
#include "widgets/compare/fresh_answer.h"

#include <QScopeGuard>
#include <QTest>
#include <QTimer>

using namespace helio;

namespace {

/// A view that counts what it asked and what came.
struct Asking {
    explicit Asking(CompareContext& context, FreshAnswer::Pace pace = FreshAnswer::Pace::WhenStill)
        : answer(pace, 1, [this] { ask(); })
    {
        answer.follow(context);
    }
    void ask()
    {
        ++asked;
        test::Gate* gate = std::exchange(nextGate, nullptr);
        answer.post([this, gate](std::stop_token) -> LatestJob::Delivery {
            if (gate)
                gate->pass();
            return [this] { ++came; };
        });
    }

    int asked = 0;
    int came = 0;
    test::Gate* nextGate = nullptr; ///< Where the next job waits.
    FreshAnswer answer;
};

} // namespace

class FreshAnswerTest : public QObject {
    Q_OBJECT

private slots:
    void aTimelineThatComesWhileOneIsAskedIsAskedForAfterIt()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        test::Gate gate;
        Asking asking(context);
        const auto opening = qScopeGuard([&] { gate.open(); }); // A check that fails does not wait for ever.
        asking.nextGate = &gate;
        context.a().setTimeline({});
        QTRY_COMPARE(asking.asked, 1);
        QCoreApplication::processEvents(); // A job begins once what is at hand is done.
        gate.waitForVisitor();
        for (int i = 0; i < 5; ++i)
            context.b().setTimeline({}); // What is asked is not given up for it.
        bool isLater = false;
        QTimer::singleShot(20, [&] { isLater = true; }); // After what would ask in 1 ms.
        QTRY_VERIFY(isLater);
        QCOMPARE(asking.asked, 1);
        gate.open();
        QTRY_COMPARE(asking.came, 2);
        QCOMPARE(asking.asked, 2);
    }

    void whatIsComparedIsAskedForAtOnce()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        test::Gate gate;
        Asking asking(context);
        const auto opening = qScopeGuard([&] { gate.open(); }); // A check that fails does not wait for ever.
        asking.nextGate = &gate;
        context.setProgram("solver");
        QTRY_COMPARE(asking.asked, 1);
        QCoreApplication::processEvents(); // A job begins once what is at hand is done.
        gate.waitForVisitor();
        context.setProgram("worker");
        QTRY_COMPARE(asking.asked, 2);
        gate.open();
        QTRY_COMPARE(asking.came, 1); // The first one's came too late.
        context.setSettled(true);
        QTRY_COMPARE(asking.came, 2);
    }

    void changesThatComeTogetherAreAskedForOnce()
    {
        for (const auto pace : {FreshAnswer::Pace::WhenStill, FreshAnswer::Pace::Live}) {
            ViewContext a, b;
            CompareContext context(a, b);
            Asking asking(context, pace);
            context.setProgram("solver");
            context.setSettled(true);
            context.b().time().setSelection({timestamp(0), timestamp(10)});
            QTRY_COMPARE(asking.came, 1);
            QCOMPARE(asking.asked, 1);
        }
    }

    void whatIsCancelledNeitherComesNorIsAskedAgain()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        test::Gate gate;
        Asking asking(context);
        const auto opening = qScopeGuard([&] { gate.open(); }); // A check that fails does not wait for ever.
        asking.nextGate = &gate;
        context.a().setTimeline({});
        QTRY_COMPARE(asking.asked, 1);
        QCoreApplication::processEvents(); // A job begins once what is at hand is done.
        gate.waitForVisitor();
        context.a().setTimeline({});
        asking.answer.cancel();
        gate.open();
        context.setProgram("solver");
        QTRY_COMPARE(asking.came, 1);
        QCOMPARE(asking.asked, 2);
    }
};

HELIO_TEST(FreshAnswerTest)
#include "tst_fresh_answer.moc"
