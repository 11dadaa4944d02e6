#include "tests/support/made_states.h"
#include "tests/support/test_program.h"
#include "widgets/compare/why/state_shares.h"

#include <QTest>

#include <cmath>

using namespace helio;

class StateSharesTest : public QObject {
    Q_OBJECT

private slots:
    void sharesAreOfEachSidesOwnTime()
    {
        Breakdown breakdown;
        breakdown.a = Duration(100);
        breakdown.b = Duration(400);
        breakdown.lines = {{test::threadState("preempted"), {}, Duration(0), Duration(300)},
                           {test::threadState("running-syscall"), "read", Duration(20), Duration(20)},
                           {test::threadState("running-syscall"), "write", Duration(10), Duration(20)},
                           {test::threadState("running-user"), {}, Duration(70), Duration(60)}};

        const auto shares = StateShares::sharesOf(breakdown);

        QCOMPARE(shares.size(), std::size_t(3));
        QCOMPARE(shares[0].state.name, "preempted"); // The first state has the largest share on either side.
        QCOMPARE(shares[0].b, 0.75);
        QCOMPARE(shares[1].state.name, "running-user");
        QCOMPARE(shares[2].state.name, "running-syscall"); // All system calls are one state.
        QVERIFY(std::abs(shares[2].a - 0.3) < 1e-9);
        QVERIFY(std::abs(shares[2].b - 0.1) < 1e-9);
        QVERIFY(StateShares::sharesOf({}).empty());
    }
};

HELIO_TEST(StateSharesTest)
#include "tst_state_shares.moc"
