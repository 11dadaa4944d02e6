// Detection of periods. Input: synthetic series with known periods, and series of every kind without one.

#include "core/latency/periods/find_periods.h"
#include "tests/core/latency/made_series.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace helio;
using namespace helio::series;

class FindPeriodsTest : public QObject {
    Q_OBJECT

private slots:
    void aPeriodIsFound_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("period");
        QTest::addColumn<double>("jitter");
        QTest::addColumn<double>("there");
        QTest::addColumn<double>("noise");
        QTest::newRow("ten exact ones") << 10 << 1e6 << 0.0 << 1.0 << 0.0;
        QTest::newRow("jitter") << 40 << 249.96e6 << 0.03 << 1.0 << 0.0;
        QTest::newRow("much jitter") << 400 << 1e6 << 0.1 << 1.0 << 0.0;
        QTest::newRow("most are missing") << 600 << 1e7 << 0.03 << 0.3 << 0.0;
        QTest::newRow("as much noise") << 400 << 1e6 << 0.08 << 1.0 << 1.0;
        QTest::newRow("thrice the noise") << 1000 << 1e6 << 0.05 << 1.0 << 3.0;
        QTest::newRow("hours") << 200 << 3.6e12 << 0.02 << 1.0 << 0.2;
        // The values span so many periods that the spectrum over all values is too coarse for this period.
        QTest::newRow("many") << 300'000 << 1e6 << 0.1 << 1.0 << 0.0;
    }

    void aPeriodIsFound()
    {
        QFETCH(int, count);
        QFETCH(double, period);
        QFETCH(double, jitter);
        QFETCH(double, there);
        QFETCH(double, noise);
        Source dice(11);
        const auto found = findPeriods(made({count, period, jitter, there, noise}, dice), 4);
        QCOMPARE(found.size(), 1U);
        QVERIFY2(std::abs(found[0].period / period - 1) < 0.001, qPrintable(QString::number(found[0].period)));
        QVERIFY(found[0].strength > 0.2 && found[0].strength <= 1);
        QVERIFY(found[0].chance() < 1e-4);
        QCOMPARE(found[0].logChance < -700 ? 0 : std::exp(found[0].logChance), found[0].chance());
        if (noise == 0 && jitter < 0.05)
            QVERIFY(found[0].share > 0.9);
    }

    /// Property: the found phase is the phase of the synthetic series, and the found share equals the fraction of values in this phase.
    void phaseAndShareMatchTheValues()
    {
        Source dice(3);
        Values values = made({200, 1e6, 0.02, 1, 0}, dice, 4e5);
        const std::int64_t first = std::ranges::min(values);
        values.push_back(Begin); // The first value determines the time of phase 0, so phase 0 is at Begin.
        const auto found = findPeriods(values, 4);
        QCOMPARE(found.size(), 1U);
        QCOMPARE(found[0].first, Begin);
        QVERIFY(first > Begin);
        QVERIFY2(std::abs(found[0].phase - 4e5) < 2e4, qPrintable(QString::number(found[0].phase)));
        const auto near = std::ranges::count_if(values, [&](std::int64_t it) {
            const double turns = (double(it - Begin) - found[0].phase) / found[0].period;
            return std::abs(turns - std::round(turns)) <= 0.1;
        });
        QCOMPARE(found[0].count, values.size());
        QVERIFY(std::abs(found[0].share * double(values.size()) - double(near)) < 0.5);
    }

    /// Input: several values at nearly one phase of each period, so that multiples of the fundamental frequency are as strong. Property:
    /// only the fundamental frequency is found.
    void theFundamentalIsFoundAlone()
    {
        Source dice(5);
        Values values;
        // Even multiples of 1e6 have five values each, odd multiples have one value. The expected period is therefore 2e6.
        for (int i = 0; i < 120; ++i)
            for (int j = 0; j < (i % 2 ? 1 : 5); ++j)
                values.push_back(std::int64_t(1e6 * i + 1e4 * dice.normal()));
        auto found = findPeriods(values, 4);
        QCOMPARE(found.size(), 1U);
        QVERIFY2(std::abs(found[0].period - 2e6) < 2e3, qPrintable(QString::number(found[0].period)));
        values.clear();
        for (int i = 0; i < 60; ++i) // Adds bursts of 200 values each; a burst lasts a tenth of the period.
            for (int j = 0; j < 200; ++j)
                values.push_back(std::int64_t(1e8 * i + 1e7 * dice.evenly()));
        found = findPeriods(values, 4);
        QCOMPARE(found.size(), 1U);
        QVERIFY2(std::abs(found[0].period - 1e8) < 1e5, qPrintable(QString::number(found[0].period)));
        QVERIFY(found[0].share > 0.95);
    }

    void twoPeriodsAreBothFound()
    {
        Source dice(7);
        Values values = made({300, 1e6, 0.01, 1, 0}, dice);
        const Values others = made({200, 1.61803e6, 0.01, 1, 0}, dice);
        values.insert(values.end(), others.begin(), others.end());
        auto found = findPeriods(values, 4);
        QCOMPARE(found.size(), 2U);
        std::ranges::sort(found, {}, &FoundPeriod::period);
        QVERIFY(std::abs(found[0].period - 1e6) < 1e3);
        QVERIFY(std::abs(found[1].period - 1.61803e6) < 2e3);
        QCOMPARE(findPeriods(values, 1).size(), 1U);
    }

    /// Input: durations around one, two, three... times 10 ms. Property: the period of 10 ms is found.
    void lengthsAtMultiplesAreFound()
    {
        Source dice(9);
        const Values values = each(2000, [&] {
            int times = 1;
            while (dice.evenly() < 0.7)
                ++times;
            return 1e7 * times + 2e5 * dice.normal();
        });
        const auto found = findPeriods(values, 4);
        QCOMPARE(found.size(), 1U);
        QVERIFY2(std::abs(found[0].period - 1e7) < 2e4, qPrintable(QString::number(found[0].period)));
    }

    /// Property: the 1 us resolution of a clock is not reported as a period.
    void stepsOfAClockAreNone()
    {
        Source dice(13);
        Values values = each(20'000, [&] { return 1000 * std::floor(1e6 * dice.evenly()); });
        QVERIFY(findPeriods(values, 4).empty());
        values = made({20'000, 1e4, 0.1, 1, 0}, dice);
        for (std::int64_t& it : values)
            it = it / 1000 * 1000;
        const auto found = findPeriods(values, 4);
        QCOMPARE(found.size(), 1U);
        QVERIFY(std::abs(found[0].period - 1e4) < 10);
    }

    /// Property: fewer than 1 in 1,000 of random series without a period have a false result, counted over all 16 kinds.
    void whatHasNoPeriodHasNone()
    {
        constexpr int Series = 3200;
        Source dice(17);
        int falseAlarms = 0;
        QString where;
        for (int i = 0; i < Series; ++i)
            if (const auto found = findPeriods(irregular(i % IrregularKinds, 8 + dice.below(40), dice), 4); !found.empty()) {
                ++falseAlarms;
                where += QStringLiteral(" kind %1: %2").arg(i % IrregularKinds).arg(found[0].logChance);
            }
        QVERIFY2(falseAlarms * 1000 < Series, qPrintable(where));
        for (int i = 0; i < 5 * IrregularKinds; ++i) // Long irregular series must not give any false result.
            if (!findPeriods(irregular(i % IrregularKinds, 1000 + dice.below(2000), dice), 4).empty())
                where += QStringLiteral(" many of kind %1").arg(i % IrregularKinds);
        QVERIFY2(!where.contains("many"), qPrintable(where));
    }

    void hardlyAnythingIsNothing()
    {
        constexpr auto Least = std::numeric_limits<std::int64_t>::min(), Most = std::numeric_limits<std::int64_t>::max();
        QVERIFY(findPeriods({}, 4).empty());
        QVERIFY(findPeriods({5}, 4).empty());
        QVERIFY(findPeriods(Values(1000, 5), 4).empty());
        QVERIFY(findPeriods({0, 1, 2, 3}, 4).empty());
        QVERIFY(findPeriods({Least, Most, 0, 1, -1, Least, Most, 2, 3, 4}, 4).empty());
        Values wide;
        for (int i = -50; i <= 50; ++i)
            wide.push_back(Most / 50 * i);
        const auto found = findPeriods(wide, 4);
        QCOMPARE(found.size(), 1U);
        QVERIFY(std::abs(found[0].period / (double(Most) / 50) - 1) < 0.001);
    }

    void stoppedItFindsNothing()
    {
        Source dice(19);
        std::stop_source source;
        source.request_stop();
        QVERIFY(findPeriods(made({100, 1e6, 0, 1, 0}, dice), 4, 1, source.get_token()).empty());
    }
};

HELIO_TEST(FindPeriodsTest)
#include "tst_find_periods.moc"
