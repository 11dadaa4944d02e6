#include "core/counters/rates.h"
#include "tests/support/dice.h"
#include "tests/support/made_counters.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace helio;
using namespace helio::test;

namespace {

Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }

using Points = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::vector<RateInterval> rates(const Points& points, TimeRange window, std::int64_t resolution)
{
    const auto timeline =
        withCounters([&](StoreBuilder& builder) { addSeries(builder, "total", points, CounterSeries::Kind::Accumulating); });
    return ratesOf(seriesColumns(*timeline, viewSeries(*timeline, "load")[0].ref, window, Duration(resolution)), CounterNumber::Integer);
}

double area(const std::vector<RateInterval>& rates)
{
    double sum = 0;
    for (const RateInterval& rate : rates)
        sum += rate.perSecond * double(rate.range.duration().count()) / 1e9;
    return sum;
}

} // namespace

class RatesTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: between two points, a total grows evenly: 30 in 100 ns are 3e8 a second.
    void betweenTwoPointsATotalGrowsEvenly()
    {
        const auto found = rates({{100, 0}, {200, 30}, {400, 30}}, {at(0), at(1000)}, 1);

        for (const RateInterval& rate : found) {
            const bool isGrowing = rate.range.begin >= at(101) && rate.range.end <= at(200);
            const bool isStill = rate.range.begin >= at(201);
            QVERIFY(!isGrowing || std::abs(rate.perSecond - 3e8) < 1);
            QVERIFY(!isStill || rate.perSecond == 0);
        }
        QVERIFY(std::abs(area(found) - 30) < 1e-6);
        QCOMPARE(found.front().range.begin, at(100)); // There is no rate before the first point.
        QCOMPARE(found.back().range.end, at(401)); // There is no rate after the column of the last point.
    }

    void theAreaIsWhatWasCountedAtEveryZoom()
    {
        Dice dice(5);
        Points points;
        std::int64_t total = 0;
        for (std::int64_t time = 100; time < 3900; time += 1 + std::int64_t(dice.below(dice.below(4) == 0 ? 200 : 3)))
            points.emplace_back(time, total += std::int64_t(dice.below(20)));

        for (const std::int64_t resolution : {1, 2, 9, 64, 500, 5000}) {
            const auto found = rates(points, {at(0), at(4000)}, resolution);
            QVERIFY2(std::abs(area(found) - double(total - points.front().second)) < 1e-6 * double(total),
                     qPrintable(QString::number(resolution)));
            for (std::size_t i = 1; i < found.size(); ++i)
                QVERIFY(found[i].range.begin >= found[i - 1].range.end);
        }
    }

    /// Property: two points a nanosecond apart, on both sides of a column's border, make no peak.
    void closePointsMakeNoPeak()
    {
        const auto found = rates({{0, 0}, {99, 10}, {100, 20}, {199, 30}}, {at(0), at(300)}, 100);

        for (const RateInterval& rate : found)
            QVERIFY(rate.perSecond <= 20 / 100e-9 + 1);
        QVERIFY(std::abs(area(found) - 30) < 1e-6);
    }

    void whereATotalFallsItBeganAnew()
    {
        const auto found = rates({{0, 0}, {1000, 500}, {2000, 100}, {3000, 300}}, {at(0), at(4000)}, 1);

        for (const RateInterval& rate : found)
            QVERIFY(rate.perSecond >= 0);
        const auto covers = [&](std::int64_t time) {
            return std::ranges::any_of(found, [&](const RateInterval& rate) { return rate.range.contains(at(time)); });
        };
        QVERIFY(covers(500) && !covers(1500) && covers(2500));
    }

    /// Input: a counter that restarts inside a column. Property: the column has no rate, although its first and last point alone do not
    /// show the restart.
    void whereATotalFallsInsideOfAColumnThereIsNoRate()
    {
        QVERIFY(rates({{0, 100}, {100, 500}, {150, 0}, {180, 700}}, {at(0), at(500)}, 500).empty());
        QVERIFY(rates({{0, 100}, {100, 900}, {150, 200}, {180, 700}}, {at(0), at(500)}, 500).empty());
        QVERIFY(!rates({{0, 100}, {100, 500}, {150, 500}, {180, 700}}, {at(0), at(500)}, 500).empty());
    }

    void aWindowBetweenTwoPointsHasTheirRate()
    {
        const auto found = rates({{0, 0}, {4000, 4000}}, {at(1000), at(2000)}, 10);

        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY(std::abs(found[0].perSecond - 1e9) < 1);
        QVERIFY(found[0].range.begin <= at(1000) && found[0].range.end >= at(2000));
    }

    void largeTotalsAreSubtractedExactly()
    {
        const std::int64_t large = std::int64_t(1) << 62;
        const auto found = rates({{0, large}, {1000, large + 10}}, {at(200), at(300)}, 1);
        QVERIFY(std::abs(found.at(0).perSecond - 1e7) < 1);
        const auto whole = rates({{0, INT64_MIN}, {1000, INT64_MAX}}, {at(200), at(300)}, 1);
        QVERIFY(std::abs(whole.at(0).perSecond / std::ldexp(1e6, 64) - 1) < 1e-9);
    }

    /// Input: a counter that grows by 1 a ns, and once by 100 in 1 ns. Property: the least and greatest rates are found at any column
    /// width.
    void theFastestAndTheSlowestAreKnownAtEveryZoom()
    {
        const auto timeline = withCounters([](StoreBuilder& builder) {
            const auto total = *builder.counters().addSeries({"load", "it", "It", "", CounterSeries::Kind::Accumulating});
            const auto growth = *builder.counters().addSeries({"", "it/growth", "It", "", CounterSeries::Kind::Gauge, CounterNumber::Real});
            std::int64_t sum = 0;
            for (std::int64_t time = 0; time <= 2000; ++time) {
                builder.counters().addInteger(total, hostTime(time), sum);
                const std::int64_t more = time == 1500 ? 100 : time == 700 ? 0 : 1;
                builder.counters().addReal(growth, hostTime(time), double(more) * 1e9);
                sum += more;
            }
        });
        const ViewSeries series = viewSeries(*timeline, "load").at(0);
        QVERIFY(series.growth && viewSeries(*timeline, "load").size() == 1);
        for (const std::int64_t resolution : {1, 7, 64, 500, 5000}) {
            auto found = ratesOf(seriesColumns(*timeline, series.ref, {at(0), at(4000)}, Duration(resolution)), series.number);
            addExtremes(found, seriesColumns(*timeline, *series.growth, {at(0), at(4000)}, Duration(resolution)));
            for (const RateInterval& it : found) {
                const bool isFast = it.range.begin < at(1501) && it.range.end > at(1500);
                const bool isSlow = it.range.begin < at(701) && it.range.end > at(700);
                if (it.range.begin >= at(2000))
                    continue; // The counter has no value here.
                QCOMPARE(it.most, isFast ? 100e9 : isSlow && resolution == 1 ? 0 : std::max(1e9, it.perSecond));
                if (it.range.end <= at(2000))
                    QCOMPARE(it.least, isSlow ? 0.0 : isFast && resolution == 1 ? 100e9 : 1e9);
                QVERIFY(it.least <= it.perSecond && it.perSecond <= it.most);
            }
        }
    }

    void onePointHasNoRate() { QVERIFY(area(rates({{100, 50}}, {at(0), at(1000)}, 10)) == 0); }
};

HELIO_TEST(RatesTest)
#include "tst_rates.moc"
