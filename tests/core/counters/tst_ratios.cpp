// Counter formulas: rows that have all counters of a formula, and values in a time range.

#include "core/counters/rates.h"
#include "core/counters/ratios.h"
#include "tests/support/dice.h"
#include "tests/support/made_counters.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace helio;
using namespace helio::test;

namespace {

using Points = std::vector<std::pair<std::int64_t, std::int64_t>>;
const std::vector<std::string> Load{"load"};

TimeRange ns(std::int64_t begin, std::int64_t end) { return {timestamp(begin), timestamp(end)}; }

void addTotal(StoreBuilder& builder, const char* id, const char* title, TrackId track, const Points& points,
              CounterSeries::Kind kind = CounterSeries::Kind::Accumulating)
{
    CounterSeries series{"load", id, title, "", kind};
    series.track = track;
    const auto made = *builder.counters().addSeries(series);
    for (const auto& [time, value] : points)
        builder.counters().addInteger(made, hostTime(time), value);
}

/// Makes a machine: CPU 0 has instructions and cycles, CPU 1 only cycles; "temperature" belongs to no row and is a gauge.
std::shared_ptr<const Timeline> machine(const Points& instructions = {{0, 0}, {1000, 2000}, {2000, 2500}})
{
    return withCounters([&](StoreBuilder& builder) {
        Track track;
        track.key = "cpu:0";
        track.cpu = 0;
        const TrackId first = builder.addTrack(track);
        track.key = "cpu:1";
        track.sortKey = 1;
        const TrackId second = builder.addTrack(track);
        addTotal(builder, "cpu:0/instructions", "instructions", first, instructions);
        addTotal(builder, "cpu:0/cycles", "cycles:u", first, {{500, 0}, {1500, 1000}, {3000, 2500}});
        addTotal(builder, "cpu:1/cycles", "cycles:u", second, {{0, 0}, {4000, 1000}});
        addTotal(builder, "temperature", "temperature", NoTrack, {{0, 10}, {1000, 30}}, CounterSeries::Kind::Gauge);
    });
}

double countedBy(const Points& points, TimeRange range)
{
    const auto timeline = withCounters([&](StoreBuilder& builder) { addSeries(builder, "it", points, CounterSeries::Kind::Accumulating); });
    return countInRange(*timeline, viewSeries(*timeline, "load")[0], range).value_or(-1);
}

} // namespace

class RatiosTest : public QObject {
    Q_OBJECT

private slots:
    void rowsThatHaveAllNamesHaveARatio()
    {
        const auto timeline = machine();
        const auto rows = ratioRows(*timeline, Load, *CounterFormula::parse("instructions / cycles"));
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].series[0].id, "cpu:0/instructions");
        QCOMPARE(rows[0].series[1].id, "cpu:0/cycles");
        QCOMPARE(rows[0].known, ns(500, 2000));
        QCOMPARE(ratioRows(*timeline, Load, *CounterFormula::parse("cycles")).size(), std::size_t(2));
        QVERIFY(ratioRows(*timeline, Load, *CounterFormula::parse("cycles / temperature")).empty());
    }

    /// Property: a name that matches two counters is reported as unknown.
    void ambiguousNamesAreUnknown()
    {
        const auto timeline = withCounters([&](StoreBuilder& builder) {
            Track track;
            track.key = "cpu:0";
            track.cpu = 0;
            const TrackId cpu = builder.addTrack(track);
            addTotal(builder, "cpu:0/u", "cycles:u", cpu, {{0, 0}, {1000, 1000}});
            addTotal(builder, "cpu:0/k", "cycles:k", cpu, {{0, 0}, {1000, 4000}});
            addTotal(builder, "cpu:0/instructions", "instructions", cpu, {{0, 0}, {1000, 2000}});
        });
        QVERIFY(ratioRows(*timeline, Load, *CounterFormula::parse("instructions / cycles")).empty());
        QCOMPARE(unknownNamesMessage(*timeline, Load, *CounterFormula::parse("instructions / cycles")),
                 "no single counter is named \"cycles\"; there are: cycles:k, cycles:u, instructions");
        QCOMPARE(ratioRows(*timeline, Load, *CounterFormula::parse("instructions / cycles:k")).size(), std::size_t(1));
    }

    void theRatioIsOfWhatWasCountedInTheRange()
    {
        const auto timeline = machine();
        const auto formula = *CounterFormula::parse("instructions / cycles");
        const auto row = ratioRows(*timeline, Load, formula)[0];
        QCOMPARE(computeRatio(*timeline, formula, row, ns(500, 1000)).value(), 1000 / 500.0);
        QCOMPARE(computeRatio(*timeline, formula, row, ns(1000, 2000)).value(), 500 / 1000.0);
        QCOMPARE(computeRatio(*timeline, formula, row, row.known).value(), 1500 / 1500.0);
        QVERIFY(!computeRatio(*timeline, formula, row, ns(400, 1000)) && !computeRatio(*timeline, formula, row, ns(1000, 2001)));
        QVERIFY(!computeRatio(*timeline, formula, row, ns(700, 700)));
    }

    void whatIsNoTotalHasItsMean()
    {
        const auto timeline = machine();
        const auto formula = *CounterFormula::parse("temperature");
        const auto row = ratioRows(*timeline, Load, formula)[0];
        QCOMPARE(computeRatio(*timeline, formula, row, ns(500, 1500)).value(), 20.0);
        QCOMPARE(computeRatio(*timeline, formula, row, ns(2000, 3000)).value(), 30.0);
    }

    void whereATotalFallsNothingIsKnown()
    {
        const auto timeline = machine({{0, 0}, {1000, 2000}, {1100, 10}, {2000, 2500}});
        const auto formula = *CounterFormula::parse("instructions / cycles");
        const auto row = ratioRows(*timeline, Load, formula)[0];
        QVERIFY(computeRatio(*timeline, formula, row, ns(600, 1000)) && computeRatio(*timeline, formula, row, ns(1100, 1900)));
        for (const TimeRange range : {ns(500, 2000), ns(990, 1010), ns(1020, 1030), ns(1050, 1200)})
            QVERIFY(!computeRatio(*timeline, formula, row, range));
    }

    void namesThatNothingHasAreSaid()
    {
        QCOMPARE(unknownNamesMessage(*machine(), Load, *CounterFormula::parse("instructions / cycles")), "");
        QCOMPARE(unknownNamesMessage(*machine(), Load, *CounterFormula::parse("branches / cycle")),
                 "no single counter is named \"branches\", \"cycle\"; there are: cycles:u, instructions, temperature");
    }

    /// Property: the counts in a time range equal those of a reference that interpolates the totals linearly for each nanosecond.
    void whatWasCountedIsTheDifferenceOfTheLineThroughThePoints()
    {
        Dice dice(3);
        Points points;
        std::int64_t total = 5;
        for (std::int64_t time = 100; time < 3900; time += std::int64_t(dice.below(dice.below(4) == 0 ? 200 : 3)))
            points.emplace_back(time, total += std::int64_t(dice.below(20)));
        const auto lineAt = [&](std::int64_t time,
                                // Returns the total at `time`, interpolated between two points. If several points have this time, returns
                                // the total of the last of them if `isEnd` is true, otherwise of the first.
                                bool isEnd) {
            auto next = isEnd ? std::ranges::upper_bound(points, time, {}, [](const auto& it) { return it.first; })
                              : std::ranges::lower_bound(points, time, {}, [](const auto& it) { return it.first; });
            if (next != points.end() && next->first == time)
                return double(next->second);
            const auto before = std::prev(next);
            if (next == points.end() || before->first == time)
                return double(before->second);
            return double(before->second)
                + double(next->second - before->second) * double(time - before->first) / double(next->first - before->first);
        };
        for (int i = 0; i < 200; ++i) {
            const std::int64_t begin = 100 + std::int64_t(dice.below(3000));
            const std::int64_t end = std::min(points.back().first, begin + 1 + std::int64_t(dice.below(i % 2 ? 700 : 20)));
            const double counted = countedBy(points, ns(begin, end));
            const double least = lineAt(end, false) - lineAt(begin, true);
            const double most = lineAt(end, true) - lineAt(begin, false);
            QVERIFY2(counted >= least - 1e-6 && counted <= most + 1e-6,
                     qPrintable(QString("%1-%2: %3, not %4 to %5").arg(begin).arg(end).arg(counted).arg(least).arg(most)));
        }
    }

    void largeTotalsAreSubtractedExactly()
    {
        const std::int64_t large = (std::int64_t(1) << 62) + 1;
        QCOMPARE(countedBy({{0, large}, {1000, large + 3}}, ns(0, 1000)), 3.0);
    }
};

HELIO_TEST(RatiosTest)
#include "tst_ratios.moc"
