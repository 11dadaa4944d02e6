// Property: differences between rates after migrations and rates without a migration are computed for each thread. Input: threads with
// different instructions per cycle.

#include "core/latency/migrations/switch_in_rates.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Returns the counts after `count` switch-ins of a thread that always executes `perCycle` instructions per cycle.
SwitchInCountSums steady(double perCycle, int count)
{
    SwitchInCountSums sums;
    for (int i = 0; i < count; ++i)
        sums.add({100 * perCycle, 100});
    return sums;
}

TrackRef threadOf(std::uint32_t number) { return {StoreIndex{0}, TrackId{number}}; }

} // namespace

class FirstRatesTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: two threads, of which one always has four times the instructions per cycle. Property: if this thread migrates less often,
    /// no cost of migrations is reported.
    void differenceIgnoresWhichThreadsMigrate_data()
    {
        QTest::addColumn<int>("movesOfStaying");
        QTest::addColumn<int>("staysOfMoving");
        QTest::addColumn<bool>("isKnown");
        QTest::newRow("one only stays, one only moves") << 0 << 0 << false;
        QTest::newRow("one does both") << 0 << 20 << true;
        QTest::newRow("both do both") << 20 << 20 << true;
        QTest::newRow("both do both, too seldom") << 9 << 9 << false;
    }
    void differenceIgnoresWhichThreadsMigrate()
    {
        QFETCH(int, movesOfStaying);
        QFETCH(int, staysOfMoving);
        QFETCH(bool, isKnown);
        const auto formula = CounterFormula::parse("instructions / cycles");
        const CountSumsByThread stayed{{threadOf(1), steady(2, 1000)}, {threadOf(2), steady(0.5, staysOfMoving)}};
        const CountSumsByThread moved{{threadOf(1), steady(2, movesOfStaying)}, {threadOf(2), steady(0.5, 100)}};

        const RateDifference difference = differenceOf(ratesOf(moved, *formula), ratesOf(stayed, *formula));

        QCOMPARE(difference.value.has_value(), isKnown);
        QCOMPARE(difference.value.value_or(0), 0.0);
        QCOMPARE(difference.error, 0.0);
        // Without the comparison by thread, there is a difference: the sums over both threads have different rates.
        QVERIFY(*rateOf(stayed, *formula).value - *rateOf(moved, *formula).value > 1);
    }
};

HELIO_TEST(FirstRatesTest)
#include "tst_first_rates.moc"
