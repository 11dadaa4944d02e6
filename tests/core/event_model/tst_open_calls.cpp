#include "core/event_model/open_calls.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class OpenCallsTest : public QObject {
    Q_OBJECT

private slots:
    void exitsFindTheirCallsBelowTheDeepestThatIsKept()
    {
        OpenCalls calls;
        for (std::uint64_t i = 0; i < OpenCalls::MostDepth; ++i)
            QVERIFY(calls.enter(1, 100 + i));
        QVERIFY(!calls.enter(1, 7));
        QVERIFY(!calls.enter(1, 7));
        QVERIFY(!calls.enter(2, 8));

        QCOMPARE(calls.leave(1, true, 7).closed, std::size_t(0));
        QVERIFY(!calls.leave(2, false, 0).isOrphan); // This return belongs to the only open call of source 2.
        QVERIFY(calls.leave(2, false, 0).isOrphan);
        const OpenCalls::Left left = calls.leave(1, true, 100); // The outermost call returns, which closes all calls in it.
        QCOMPARE(left.closed, OpenCalls::MostDepth);
        QVERIFY(calls.leave(1, true, 7).isOrphan); // The call was already closed together with its caller.
        QVERIFY(calls.enter(1, 5));
        QCOMPARE(calls.leave(1, true, 5).closed, std::size_t(1));
    }

    void orphansOfAnotherSourceAreNotLookedForInADeepStack()
    {
        OpenCalls calls;
        for (int i = 0; i < 200'000; ++i)
            calls.enter(1, 42);
        calls.enter(2, 43);
        for (int i = 0; i < 200'000; ++i)
            // An orphan of source 2 must not be searched in the deep stack of source 1. With this search, the loop would take minutes.
            QVERIFY(calls.leave(2, true, 42).isOrphan);
        QCOMPARE(calls.leave(1, true, 42).closed, std::size_t(2));
    }
};

HELIO_TEST(OpenCallsTest)
#include "tst_open_calls.moc"
