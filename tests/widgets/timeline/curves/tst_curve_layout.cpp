#include "tests/support/dice.h"
#include "tests/support/made_counters.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/curves/curve_layout.h"
#include "widgets/timeline/curves/series_source.h"

#include <QTest>

#include <map>

using namespace helio;
using namespace helio::test;

namespace {

using Points = std::vector<std::pair<std::int64_t, std::int64_t>>;

Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }

/// Curve of a series in a window of `width` pixels.
Curve curveOf(const Points& points, std::int64_t begin, std::int64_t end, double width,
              CounterSeries::Kind kind = CounterSeries::Kind::Gauge)
{
    const auto timeline = withCounters([&](StoreBuilder& builder) { addSeries(builder, "it", points, kind); });
    const TimeScale scale({at(begin), at(end)}, width);
    return layOutCurve(fetchSeries(*timeline, viewSeries(*timeline, "load")[0], scale.window(), scale.resolution()), scale);
}

} // namespace

class CurveLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void aValueHoldsUntilTheNextPoint()
    {
        const Curve curve = curveOf({{100, 5}, {300, 8}, {700, 2}}, 0, 1000, 100);

        QCOMPARE(curve, (Curve{{10, 30, 5, 5, 5}, {30, 70, 8, 8, 8}, {70, 104, 2, 2, 2}}));
    }

    void atTheWindowsBeginTheValueBeforeHolds()
    {
        QCOMPARE(curveOf({{100, 5}, {3900, 8}}, 1000, 2000, 100), (Curve{{-4, 104, 5, 5, 5}}));
        QCOMPARE(curveOf({{100, 5}, {1500, 8}}, 1000, 2000, 100), (Curve{{-4, 50, 5, 5, 5}, {50, 104, 8, 8, 8}}));
        QCOMPARE(curveOf({{3000, 5}}, 1000, 2000, 100), Curve());
        QCOMPARE(curveOf({}, 1000, 2000, 100), Curve());
    }

    void afterTheLastPointTheValueHoldsUntilTheEndOfTheTrace()
    {
        QCOMPARE(curveOf({{1000, 5}}, 0, 8000, 80), (Curve{{10, 40, 5, 5, 5}})); // The curve ends with the recording, at 4000.
    }

    /// Input at 100 ns a pixel: 5 at 300, 50 from 310 on, 7 from 320 on. Property: several points in a pixel are drawn from their least
    /// to their greatest value.
    void severalPointsOfAPixelAreFromTheirLeastToTheirMost()
    {
        const Curve curve = curveOf({{300, 5}, {310, 50}, {320, 7}, {600, 6}}, 0, 1000, 10);

        QCOMPARE(curve.size(), std::size_t(3));
        QCOMPARE(curve[0], (CurveSpan{3, 4, (5 * 10 + 50 * 10 + 7 * 80) / 100.0, 5, 50}));
        QCOMPARE(curve[1], (CurveSpan{4, 6, 7, 7, 7}));
        QCOMPARE(curve[2], (CurveSpan{6, 14, 6, 6, 6}));
    }

    /// Property: the value at a pixel's beginning, before its first point, belongs to the pixel.
    void aPixelHoldsTheValueItBeganWith()
    {
        const Curve curve = curveOf({{0, 90}, {350, 5}, {360, 6}}, 0, 1000, 10);
        QCOMPARE(curve[1].most, 90.0);
        QCOMPARE(curve[1].least, 5.0);
        const Curve atBorder = curveOf({{0, 90}, {300, 5}, {360, 6}}, 0, 1000, 10);
        QCOMPARE(atBorder[1].most, 6.0);
    }

    void eachPixelHasAllValuesOfItsTime()
    {
        Dice dice(11);
        Points points;
        for (std::int64_t time = 7; time < 4000; time += 1 + std::int64_t(dice.below(dice.below(10) == 0 ? 300 : 5)))
            points.emplace_back(time, std::int64_t(dice.below(2000)) - 1000);
        for (const int width : {10, 160, 2000, 4000}) {
            const Curve curve = curveOf(points, 0, 4000, width);
            std::size_t point = 0;
            for (std::int64_t time = 0; time < 4000; ++time) {
                while (point + 1 < points.size() && points[point + 1].first <= time)
                    ++point;
                const CurveSpan* piece = curveSpanAt(curve, (double(time) + 0.5) * width / 4000);
                if (time < 7) {
                    // The curve has no value before its first point at 7 ns. If a pixel is longer than 1 ns (width < 4000), the pixel of
                    // the first point begins earlier.
                    QVERIFY(!piece || width < 4000);
                    continue;
                }
                QVERIFY(piece);
                QVERIFY(piece->least <= double(points[point].second) && double(points[point].second) <= piece->most);
            }
            for (std::size_t i = 1; i < curve.size(); ++i)
                QVERIFY(curve[i].begin >= curve[i - 1].end);
        }
    }

    void anAccumulatingSeriesIsItsRate()
    {
        // Input: the counter grows by 40 in 400 ns, a rate of 1e8 per second, and then by 8 in 800 ns, a rate of 1e7 per second.
        const Curve curve = curveOf({{0, 0}, {400, 40}, {1200, 48}}, 0, 4000, 40, CounterSeries::Kind::Accumulating);

        QVERIFY(std::abs(curveSpanAt(curve, 2)->value - 1e8) < 1);
        QVERIFY(std::abs(curveSpanAt(curve, 8)->value - 1e7) < 1);
        QVERIFY(!curveSpanAt(curve, 20)); // The curve has no span here, because the counter's growth after its last point is unknown.
        QCOMPARE(valueRangeIn(curve, 40).most, curveSpanAt(curve, 2)->value);
        QVERIFY(valueRangeIn({}, 40).isEmpty());
    }
};

HELIO_TEST(CurveLayoutTest)
#include "tst_curve_layout.moc"
