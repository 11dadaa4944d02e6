// Counter formulas over time. Property: values equal a reference that interpolates the counters' points and evaluates nanosecond by
// nanosecond.

#include "core/counters/ratio_intervals.h"
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
using Kind = CounterSeries::Kind;

/// Makes a store with the series "a" and "b" of one row.
std::shared_ptr<const Timeline> pairOf(const Points& a, const Points& b, Kind kindOfB = Kind::Accumulating)
{
    return withCounters([&](StoreBuilder& builder) {
        for (const auto& [title, points, kind] : {std::tuple("a", a, Kind::Accumulating), std::tuple("b", b, kindOfB)}) {
            const auto series = *builder.counters().addSeries({.view = "load", .id = title, .title = title, .kind = kind});
            for (const auto& [time, value] : points)
                builder.counters().addInteger(series, hostTime(time), value);
        }
    });
}

std::vector<RatioInterval> ratioIntervals(const Timeline& timeline, const char* text, std::int64_t resolution,
                                          std::pair<std::int64_t, std::int64_t> window = {0, 4000})
{
    const auto formula = *CounterFormula::parse(text);
    const auto rows = findRowsWithSeries(viewSeries(timeline, "load"), formula.names());
    return computeRatioIntervals(timeline, formula, rows.at(0), {timestamp(window.first), timestamp(window.second)}, Duration(resolution));
}

/// Returns ratio intervals as text, one per line: "500-1000: 2 (1000, 500)" is begin, end, ratio, and the changes of both counters.
QStringList lines(const std::vector<RatioInterval>& all)
{
    QStringList lines;
    for (const RatioInterval& it : all) {
        QStringList counted;
        for (const double value : it.counted)
            counted << QString::number(value);
        lines << QString("%1-%2: %3 (%4)")
                     .arg((it.range.begin - timestamp(0)).count())
                     .arg((it.range.end - timestamp(0)).count())
                     .arg(it.value)
                     .arg(counted.join(", "));
    }
    return lines;
}

/// Returns a counter's total at a time, interpolated between two points.
double lineAt(const Points& points, std::int64_t time)
{
    const auto next = std::ranges::lower_bound(points, time, {}, [](const auto& it) { return it.first; });
    if (next == points.begin() || next->first == time)
        return double(next->second);
    const auto before = std::prev(next);
    return double(before->second)
        + double(next->second - before->second) * double(time - before->first) / double(next->first - before->first);
}

double countedBy(const Points& points, std::int64_t from, std::int64_t to) { return lineAt(points, to) - lineAt(points, from); }

/// Random points with distinct times, in dense and sparse groups.
Points madePoints(Dice& dice, std::int64_t begin, std::int64_t end)
{
    Points points;
    std::int64_t total = 7;
    for (std::int64_t time = begin; time < end; time += 1 + std::int64_t(dice.below(dice.below(8) == 0 ? 300 : 4)))
        points.emplace_back(time, total += std::int64_t(dice.below(dice.below(5) == 0 ? 1 : 40)));
    return points;
}

} // namespace

class RatioStretchesTest : public QObject {
    Q_OBJECT

private slots:
    void betweenPointsAStretchIsOfWhatBothCounted()
    {
        const auto timeline = pairOf({{0, 0}, {1000, 2000}, {2000, 2500}}, {{500, 0}, {1500, 1000}, {3000, 2500}});
        QCOMPARE(lines(ratioIntervals(*timeline, "a / b", 1)),
                 (QStringList{"500-501: 2 (2, 1)", "501-1000: 2 (998, 499)", "1000-1001: 0.5 (0.5, 1)", "1001-1500: 0.5 (249.5, 499)",
                              "1500-1501: 0.5 (0.5, 1)", "1501-2000: 0.5 (249.5, 499)"}));
        QCOMPARE(lines(ratioIntervals(*timeline, "a / b", 4000)), QStringList{"500-2000: 1 (1500, 1500)"});
        QCOMPARE(lines(ratioIntervals(*timeline, "a / b", 1000)), (QStringList{"500-1000: 2 (1000, 500)", "1000-2000: 0.5 (500, 1000)"}));
    }

    /// Property: the ratio of an interval is the sum of the numerators divided by the sum of the denominators, not the mean of the ratios 1
    /// and 100.
    void aStretchIsNoMeanOfRatios()
    {
        const auto timeline = pairOf({{0, 0}, {100, 1000}, {200, 1100}, {400, 1100}}, {{0, 0}, {100, 1000}, {200, 1001}, {400, 1001}});
        QCOMPARE(lines(ratioIntervals(*timeline, "a / b", 200, {0, 200})).first(), "0-200: 1.0989 (1100, 1001)");
    }

    void nothingIsSaidWhereTheDenominatorIs0()
    {
        const auto timeline = pairOf({{0, 0}, {1000, 10}, {2000, 20}, {3000, 30}}, {{0, 0}, {1000, 5}, {2000, 5}, {3000, 6}});
        QCOMPARE(lines(ratioIntervals(*timeline, "a / b", 1000)), (QStringList{"0-1000: 2 (10, 5)", "2000-3000: 10 (10, 1)"}));
        QCOMPARE(lines(ratioIntervals(*timeline, "b / a", 1000)),
                 (QStringList{"0-1000: 0.5 (5, 10)", "1000-2000: 0 (0, 10)", "2000-3000: 0.1 (1, 10)"}));
    }

    void nothingIsSaidWhereATotalFell()
    {
        const auto timeline = pairOf({{0, 0}, {1000, 10}, {1100, 2}, {2000, 20}, {3000, 30}}, {{0, 0}, {1000, 5}, {2000, 15}, {3000, 16}});
        for (const RatioInterval& it : ratioIntervals(*timeline, "a / b", 10))
            QVERIFY(it.range.end <= timestamp(1000) || it.range.begin >= timestamp(1100));
    }

    /// Property: the value of a sum of counters is a rate per second at every zoom. A gauge contributes its mean over the interval.
    void whatIsNoRatioIsPerSecond()
    {
        const auto timeline = pairOf({{0, 0}, {2000, 4000}}, {{0, 10}, {500, 30}}, Kind::Gauge);
        for (const int resolution : {1, 10, 1000, 4000})
            for (const RatioInterval& it : ratioIntervals(*timeline, "2 * a + 1", resolution))
                QCOMPARE(it.value, 2 * 2e9 + 1);
        QCOMPARE(lines(ratioIntervals(*timeline, "b", 1000)), (QStringList{"0-1000: 20 (20)", "1000-4000: 30 (30)"}));
        QCOMPARE(lines(ratioIntervals(*timeline, "a / b", 1000)),
                 (QStringList{"0-1000: 1e+08 (2000, 20)", "1000-2000: 6.66667e+07 (2000, 30)"}));
    }

    /// Input: counter b has its first value at 400, inside the column from 0 to 1000. Property: the column's ratio is computed over 400 to
    /// 1000 only.
    void whereASumBeginsWithinAColumnItsRateIsThatOfItsPart()
    {
        const auto timeline = pairOf({{300, 0}, {1300, 1000}}, {{400, 10}, {600, 30}}, Kind::Gauge);
        QCOMPARE(lines(ratioIntervals(*timeline, "a / b", 1000)).first(), "400-1000: 4.28571e+07 (600, 23.3333)");
    }

    /// Property: at any resolution, an interval's ratio is the growth of counter a divided by the growth of counter b, both interpolated
    /// between points. Intervals are missing only where b did not grow.
    void stretchesAreWhatTheLinesThroughThePointsGrewBy_data()
    {
        QTest::addColumn<int>("resolution");
        for (const int resolution : {1, 7, 64, 500, 4000})
            QTest::addRow("%d ns", resolution) << resolution;
    }
    void stretchesAreWhatTheLinesThroughThePointsGrewBy()
    {
        QFETCH(int, resolution);
        Dice dice(std::uint64_t(resolution) + 1);
        for (int round = 0; round < 12; ++round) {
            const Points a = madePoints(dice, std::int64_t(dice.below(300)), 3900);
            const Points b = madePoints(dice, std::int64_t(dice.below(300)), 3900);
            const auto timeline = pairOf(a, b);
            const std::int64_t begin = std::max(a.front().first, b.front().first);
            const std::int64_t end = std::min(a.back().first, b.back().first);
            std::int64_t at = begin;
            for (const RatioInterval& it : ratioIntervals(*timeline, "a / b", resolution)) {
                const std::int64_t from = (it.range.begin - timestamp(0)).count(), to = (it.range.end - timestamp(0)).count();
                QVERIFY(from >= at && to > from && to <= end);
                QVERIFY(std::abs(countedBy(b, at, from)) < 1e-9); // Between two intervals, the denominator b counts nothing.
                const double ofA = countedBy(a, from, to), ofB = countedBy(b, from, to);
                const auto isSame = [](double is, double should) { return std::abs(is - should) <= 1e-9 * std::max(1.0, should); };
                QVERIFY2(isSame(it.counted[0], ofA) && isSame(it.counted[1], ofB) && isSame(it.value, ofA / ofB),
                         qPrintable(QString("%1-%2: %3 (%4, %5), not (%6, %7)")
                                        .arg(from)
                                        .arg(to)
                                        .arg(it.value)
                                        .arg(it.counted[0])
                                        .arg(it.counted[1])
                                        .arg(ofA)
                                        .arg(ofB)));
                at = to;
            }
            QVERIFY(std::abs(countedBy(b, at, end)) < 1e-9);
        }
    }

    void aWindowHasWhatLiesInIt()
    {
        Dice dice(5);
        const Points a = madePoints(dice, 0, 3900), b = madePoints(dice, 0, 3900);
        const auto timeline = pairOf(a, b);
        const QStringList all = lines(ratioIntervals(*timeline, "a / b", 10));
        const auto inWindow = ratioIntervals(*timeline, "a / b", 10, {500, 3500});
        int found = 0;
        for (const RatioInterval& it : inWindow)
            if (it.range.begin >= timestamp(500) && it.range.end <= timestamp(3500)) {
                QVERIFY(all.contains(lines({it}).first()));
                ++found;
            }
        QVERIFY(found > 20);
    }

    void seriesThatAreNotThereMakeNone()
    {
        const auto timeline = pairOf({}, {{0, 0}, {1000, 1}});
        QVERIFY(ratioIntervals(*timeline, "a / b", 10).empty());
        const auto one = pairOf({{0, 0}, {1000, 1}}, {{2000, 0}, {3000, 1}});
        QVERIFY(ratioIntervals(*one, "a / b", 10).empty());
    }

    void theUsualRatioIsProposed()
    {
        const auto series = [](const std::vector<const char*>& titles) {
            std::vector<ViewSeries> all;
            for (const char* title : titles)
                all.emplace_back().title = title;
            return all;
        };
        QCOMPARE(suggestRatio(series({"branch-misses", "cycles:u", "instructions:u"})), "instructions / cycles");
        QCOMPARE(suggestRatio(series({"cpu-clock", "page-faults", "faults"})), "page-faults / cpu-clock");
        QCOMPARE(suggestRatio(series({"faults", "faults", "cpu-clock"})), "faults / cpu-clock");
        QCOMPARE(suggestRatio(series({"cpu-clock", "kmem:a b"})), "cpu-clock / \"kmem:a b\"");
        const std::vector<std::string> taken{"instructions / cycles"};
        QCOMPARE(suggestRatio(series({"cycles", "cache-misses", "cache-references", "instructions"}), taken),
                 "cache-misses / cache-references");
        QCOMPARE(suggestRatio(series({"cycles"})), "");
        QCOMPARE(suggestRatio({}), "");
    }

    void namesStandInFormulasAsTheyAreRead()
    {
        for (const char* title : {"cycles", "page-faults", "cycles:u", "a b", "8-bit", "-x", "cpu/cycles/", "(x)"})
            QCOMPARE(CounterFormula::parse(quoteForFormula(title))->names(), std::vector<std::string>{title});
        QCOMPARE(quoteForFormula("page-faults"), "page-faults");
        QCOMPARE(quoteForFormula("a \"b\""), ""); // The result is empty, because a formula cannot contain a name with a quotation mark.
        QCOMPARE(quoteForFormula(""), "");
    }

    void aRatiosPowerIs0()
    {
        const auto power = [](const char* text) {
            const auto formula = *CounterFormula::parse(text);
            return formula.power(std::vector<int>(formula.names().size(), 1));
        };
        QCOMPARE(power("a / b"), std::optional(0));
        QCOMPARE(power("1 - 1000 * (a + b) / -c"), std::optional(0));
        QCOMPARE(power("1000 * (a - b)"), std::optional(1));
        QCOMPARE(power("a * b / c / d / e"), std::optional(-1));
        QVERIFY(!power("a / b + c") && !power("1 + a"));
    }
};

HELIO_TEST(RatioStretchesTest)
#include "tst_ratio_stretches.moc"
