// Input: series that mix two periods. Property: both periods are found, and none that exists only in the mixture.

#include "core/latency/periods/find_periods.h"
#include "core/latency/periods/periodicity.h"
#include "tests/core/latency/made_series.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace helio;
using namespace helio::series;

namespace {

constexpr double Ms = 1e6;

/// A mixture of two periods. `ratio`: number of times of period a for each time of period b; 0 to keep all times of both.
struct Mixture {
    double a = 0;
    double b = 0; ///< Periods `a` and `b` in ms.
    double ratio = 0;
    double jitter = 0;
    double noisePerTime = 0;
};

Values mixed(const Mixture& it, double seconds, Source& dice)
{
    const double ofA = 1000 * seconds / it.a, ofB = 1000 * seconds / it.b; // Number of periods of `a` and of `b` in `seconds`.
    const double counted = it.ratio > 0 ? std::min(ofB, ofA / it.ratio) : ofB;
    const double thereOfA = it.ratio > 0 ? counted * it.ratio / ofA : 1;
    Values values = made({int(ofA), it.a * Ms, it.jitter, thereOfA, it.noisePerTime}, dice, it.a * Ms * dice.evenly());
    const Values others = made({int(ofB), it.b * Ms, it.jitter, counted / ofB, it.noisePerTime}, dice, it.b * Ms * dice.evenly());
    values.insert(values.end(), others.begin(), others.end());
    return values;
}

std::vector<double> periodsIn(const Values& values)
{
    std::vector<double> periods;
    for (const FoundPeriod& it : findPeriods(values, 4))
        periods.push_back(it.period / Ms);
    return periods;
}

/// Periods found in intervals with these beginnings. Most intervals are up to 300 us long, a few are longer.
std::vector<double> periodsOfIntervals(Values begins, Source& dice)
{
    std::ranges::sort(begins);
    PeriodicityDetector pieces;
    for (const std::int64_t at : begins)
        pieces.add({timestamp(at), timestamp(at + 20'000 + std::int64_t(2e5 * dice.exponential()))});
    std::vector<double> periods;
    for (const Periodicity& it : pieces.find())
        periods.push_back(it.found.period / Ms);
    return periods;
}

QByteArray listed(const std::vector<double>& periods)
{
    QByteArray text;
    for (const double it : periods)
        text += QByteArray::number(it, 'g', 8) + " ms ";
    return text;
}

bool areThose(std::vector<double> found, const std::vector<double>& expected)
{
    std::ranges::sort(found);
    return std::ranges::equal(found, expected, [](double a, double b) { return std::abs(a / b - 1) < 0.005; });
}

} // namespace

class MixedPeriodsTest : public QObject {
    Q_OBJECT

private slots:
    void ofTwoBothAreNamed_data()
    {
        QTest::addColumn<double>("a");
        QTest::addColumn<double>("b");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("jitter");
        QTest::addColumn<double>("noise");
        const std::array<std::pair<double, double>, 4> pairs{{{7, 11}, {4, 7}, {3.3, 10}, {5, 13}}};
        const std::array<std::pair<double, double>, 4> jitterAndNoise{{{0.01, 0.0}, {0.05, 0.3}, {0.01, 0.3}, {0.05, 0.0}}};
        std::size_t turn = 0;
        for (const auto& [a, b] : pairs) {
            for (const double ratio : {0.0, 1.0, 1.0 / 3, 3.0}) {
                for (int i = 0; i < 2; ++i) {
                    const auto [jitter, noise] = jitterAndNoise[turn++ % jitterAndNoise.size()];
                    QTest::addRow("%g and %g ms, %.2g of the one for each other, jitter %g, noise %g", a, b, ratio, jitter, noise)
                        << a << b << ratio << jitter << noise;
                }
            }
        }
    }

    void ofTwoBothAreNamed()
    {
        QFETCH(double, a);
        QFETCH(double, b);
        QFETCH(double, ratio);
        QFETCH(double, jitter);
        QFETCH(double, noise);
        Source dice(23);
        const auto found = periodsIn(mixed({a, b, ratio, jitter, noise}, 15, dice));
        QVERIFY2(areThose(found, {a, b}), listed(found));
    }

    /// Property: both periods of the intervals are found, and nothing else. The gaps between the beginnings also repeat with the sum and
    /// the difference of both frequencies, which must not be reported.
    void ofPiecesBothAreNamedAndNothingElse_data()
    {
        QTest::addColumn<double>("a");
        QTest::addColumn<double>("b");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("noise");
        QTest::newRow("7 and 11 ms") << 7.0 << 11.0 << 0.0 << 0.0;
        QTest::newRow("7 and 11 ms, as many") << 7.0 << 11.0 << 1.0 << 0.0;
        QTest::newRow("7 and 11 ms, noise") << 7.0 << 11.0 << 0.0 << 0.3;
        QTest::newRow("4 and 7 ms") << 4.0 << 7.0 << 0.0 << 0.0;
        QTest::newRow("4 and 7 ms, as many, noise") << 4.0 << 7.0 << 1.0 << 0.3;
        QTest::newRow("3.3 and 10 ms") << 3.3 << 10.0 << 0.0 << 0.0;
        QTest::newRow("3.3 and 10 ms, noise") << 3.3 << 10.0 << 0.0 << 0.3;
        QTest::newRow("a beat") << 10.0 << 10.7 << 0.0 << 0.0;
    }

    void ofPiecesBothAreNamedAndNothingElse()
    {
        QFETCH(double, a);
        QFETCH(double, b);
        QFETCH(double, ratio);
        QFETCH(double, noise);
        Source dice(29);
        const auto found = periodsOfIntervals(mixed({a, b, ratio, 0.02, noise}, 10, dice), dice);
        QVERIFY2(areThose(found, {a, b}), listed(found));
    }

    void ofVeryManyPiecesTooOnlyThoseAreNamed()
    {
        Source dice(47);
        const auto found = periodsOfIntervals(mixed({1.75, 2.75, 0, 0.02, 0}, 100, dice), dice);
        QVERIFY2(areThose(found, {1.75, 2.75}), listed(found));
    }

    /// Input: intervals begin about every 10 ms; every twentieth is long and begins exactly on time. Property: the period of 10 ms is
    /// found besides its multiple.
    void aShorterOneOfManyMoreIsNamedBesideItsMultiple()
    {
        Source dice(31);
        PeriodicityDetector pieces;
        for (int i = 0; i < 3000; ++i) {
            const bool isLong = i % 20 == 0;
            const double at = 10 * Ms * (i + (isLong ? 0 : 0.12 * dice.normal()));
            pieces.add(
                {timestamp(Begin + std::int64_t(at)), timestamp(Begin + std::int64_t(at + (isLong ? 3 * Ms : 1e4 * (1 + dice.evenly()))))});
        }
        std::vector<double> periods;
        for (const Periodicity& it : pieces.find())
            periods.push_back(it.found.period / Ms);
        QVERIFY2(areThose(periods, {10, 200}), listed(periods));
    }

    void aSingleOneIsNamedOnce_data()
    {
        QTest::addColumn<double>("jitter");
        QTest::addColumn<double>("there");
        QTest::addColumn<double>("noise");
        QTest::newRow("exact") << 0.0 << 1.0 << 0.0;
        QTest::newRow("jitter") << 0.05 << 1.0 << 0.0;
        QTest::newRow("much jitter") << 0.1 << 1.0 << 0.0;
        QTest::newRow("half are missing") << 0.01 << 0.5 << 0.0;
        QTest::newRow("noise") << 0.01 << 1.0 << 0.3;
        QTest::newRow("half are missing, jitter and noise") << 0.05 << 0.5 << 0.3;
    }

    void aSingleOneIsNamedOnce()
    {
        QFETCH(double, jitter);
        QFETCH(double, there);
        QFETCH(double, noise);
        Source dice(37);
        for (const int count : {50, 400, 3000}) {
            const Values values = made({count, 7 * Ms, jitter, there, noise}, dice);
            const auto found = periodsIn(values);
            QVERIFY2(areThose(found, {7}), listed(found));
            const auto ofIntervals = periodsOfIntervals(values, dice);
            QVERIFY2(areThose(ofIntervals, {7}), listed(ofIntervals));
        }
    }

    /// Input: series with a period of 7 ms. At every second multiple of the period, the number of values differs: none, two or four
    /// instead of one. Property: the period found is 14 ms; it is 7 ms if all numbers are equal.
    void missingEverySecondValueDoublesThePeriod()
    {
        Source dice(41);
        for (const int more : {0, 1, 2, 4}) {
            Values values;
            for (int i = 0; i < 600; ++i)
                for (int j = 0; j < (i % 2 ? 1 : more); ++j)
                    values.push_back(Begin + std::int64_t(7 * Ms * (i + 0.02 * dice.normal())));
            const auto found = periodsIn(values);
            QVERIFY2(areThose(found, {more == 1 ? 7.0 : 14.0}), listed(found));
        }
    }

    /// Input: a weak period that shows only in its multiples, each of which is weak. Property: together they are found as the period.
    void weakPeriodIsFoundFromItsMultiples()
    {
        Source dice(53);
        Values values = each(4000, [&] { return 12e9 * dice.evenly(); });
        // In each period of 4 ms, adds two values, each with a probability of 12 %: one near the beginning of a random half of the period
        // (0 or 2 ms), and one near the beginning of a random third (0, 4/3 or 8/3 ms).
        for (int i = 0; i < 3000; ++i)
            for (const double part : {2.0, 3.0})
                if (dice.evenly() < 0.12)
                    values.push_back(std::int64_t(4 * Ms * (i + (dice.below(int(part)) + 0.1 * dice.normal()) / part)));
        const auto found = periodsIn(values);
        QVERIFY2(areThose(found, {4}), listed(found));
    }

    /// Property: fewer than 1 in 1,000 series without a period have a false result. Input: exponential gaps, other distributions, random
    /// walks and bursts.
    void piecesWithoutAPeriodHaveNone()
    {
        constexpr int Series = 2400;
        Source dice(43);
        int falseAlarms = 0;
        QByteArray where;
        for (int i = 0; i < Series; ++i) {
            const int kind = i % IrregularKinds;
            if (const auto found = periodsOfIntervals(irregular(kind, 8 + dice.below(120), dice), dice); !found.empty()) {
                ++falseAlarms;
                where += " of kind " + QByteArray::number(kind) + ": " + listed(found);
            }
        }
        QVERIFY2(falseAlarms * 1000 < Series, where);
    }
};

HELIO_TEST(MixedPeriodsTest)
#include "tst_mixed_periods.moc"
