#include "tests/support/test_program.h"
#include "widgets/timeline/curves/value_scale.h"

#include <QTest>

#include <cmath>

using namespace helio;

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();

} // namespace

class ValueScaleTest : public QObject {
    Q_OBJECT

private slots:
    void aScaleEndsOnStepsThatReadWell()
    {
        QCOMPARE(scaleFor({3, 87}, 5), (ValueScale{0, 100}));
        QCOMPARE(scaleFor({0, 100}, 5), (ValueScale{0, 100}));
        QCOMPARE(scaleFor({0, 101}, 5), (ValueScale{0, 150}));
        QCOMPARE(scaleFor({-3, 87}, 5), (ValueScale{-20, 100}));
        QCOMPARE(scaleFor({-87, -43}, 5), (ValueScale{-90, -40}));
        QCOMPARE(ticksOf({0, 100}, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
        QCOMPARE(ticksOf({-20, 100}, 5), (std::vector<double>{0, 50, 100}));
        QVERIFY(!scaleFor({}, 5).isValid());
        QVERIFY(ticksOf({}, 5).empty());
    }

    void allValuesAreOnIt_data()
    {
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        for (const auto& [least, most] : {std::pair(0.0, 0.0),
                                          {5.0, 5.0},
                                          {-5.0, -5.0},
                                          {1e300, 1e308},
                                          {-1e308, 1e308},
                                          {1e-300, 3e-300},
                                          {0.0, 5e-324},
                                          {1e15, 1e15 + 1},
                                          {-1e15 - 1, -1e15},
                                          {-0.1, 0.3},
                                          {0.0, 9.2e18}})
            QTest::addRow("%g to %g", least, most) << least << most;
    }
    void allValuesAreOnIt()
    {
        QFETCH(double, least);
        QFETCH(double, most);
        for (int steps = 1; steps <= 8; ++steps) {
            const ValueScale scale = scaleFor({least, most}, steps);
            QVERIFY(scale.isValid());
            QVERIFY(std::isfinite(scale.low) && std::isfinite(scale.high));
            if (std::abs(most) <= 1e300 && std::abs(least) <= 1e300)
                QVERIFY(scale.low <= least && scale.high >= most);
            QVERIFY(least < 0 || scale.low == 0);
            const auto ticks = ticksOf(scale, steps);
            QVERIFY(int(ticks.size()) <= steps + 1);
            QVERIFY(int(ticks.size()) >= 2);
            for (const double tick : ticks)
                QVERIFY(std::isfinite(tick));
        }
    }

    /// Input: a scale that was computed for a panel with room for `made` steps between numbers, and is kept when the panel's height changes
    /// to room for `steps` steps. Property: at least two numbers are visible.
    void aKeptScaleHasTwoNumbersInAnyHeight()
    {
        for (const double most : {0.07, 1.3, 3.0, 41.0, 101.0})
            for (int made = 1; made <= 8; ++made)
                for (int steps = 1; steps <= 8; ++steps) {
                    const ValueScale scale = scaleFor({0, most}, made);
                    const auto ticks = ticksOf(scale, steps);
                    QVERIFY(ticks.size() >= 2 && int(ticks.size()) <= steps + 1);
                    QVERIFY(ticks.front() == 0 && ticks.back() > 0 && ticks.back() <= scale.high * (1 + 1e-9));
                }
    }

    void itStaysWhileTheValuesFitAndFillIt()
    {
        const ValueScale before = scaleFor({0, 87}, 5);
        QCOMPARE(followed(before, {10, 99}, 5), before);
        QCOMPARE(followed(before, {0, 41}, 5), before);
        QCOMPARE(followed(before, {}, 5), before);
        QCOMPARE(followed(before, {0, 101}, 5), (ValueScale{0, 150})); // The value 101 is beyond the scale, so the scale grows at once.
        QCOMPARE(followed(before, {0, 29}, 5), (ValueScale{0, 30})); // The scale shrinks, because the values fill too little of it.
        QCOMPARE(followed({}, {0, 29}, 5), (ValueScale{0, 30}));
    }

    /// Input: a visible range that moves along a curve with peaks and valleys. Property: the scale changes only a few times, not at each
    /// step.
    void panningDoesNotMakeItJump()
    {
        ValueScale scale;
        int changes = 0;
        for (int offset = 0; offset < 1000; ++offset) {
            ValueRange values;
            for (int i = 0; i < 200; ++i)
                values.add(500 + 400 * std::sin((offset + i) / 50.0));
            const ValueScale next = followed(scale, values, 5);
            QVERIFY(next.low <= values.least && next.high >= values.most);
            changes += !(next == scale);
            scale = next;
        }
        QVERIFY2(changes <= 2, qPrintable(QString::number(changes)));
    }

    void valuesAreShort()
    {
        const QString thin(QChar(0x2009)), minus(QChar(0x2212));
        QCOMPARE(shortValue(0), "0");
        QCOMPARE(shortValue(9999), "9999");
        QCOMPARE(shortValue(12'345, "B"), "12.3" + thin + "kB");
        QCOMPARE(shortValue(12'345, "events/s"), "12.3" + thin + "k" + thin + "events/s");
        QCOMPARE(shortValue(-1'250'000), minus + "1.25" + thin + "M");
        QCOMPARE(shortValue(0.25, "%"), "0.25" + thin + "%");
        QCOMPARE(shortValue(2.5e9, "/s"), "2.5" + thin + "G/s");
        QVERIFY(shortValue(Infinity).size() < 12);
        QVERIFY(shortValue(1e300).size() < 12);
        QCOMPARE(shortValue(150'000'000, "ns"), "150" + thin + "ms");
        QCOMPARE(shortValue(0, "ns"), "0" + thin + "ns");
        QCOMPARE(shortValue(90e9, "ns"), "90" + thin + "s");
        QCOMPARE(shortValue(999'960), "1" + thin + "M");
        QCOMPARE(shortValue(10'000), "10" + thin + "k");
        QCOMPARE(shortValue(999.7), "999.7");
        QCOMPARE(shortValue(999'700), "1" + thin + "M");
        QCOMPARE(shortValue(999'700, "ns"), "1" + thin + "ms");
    }
};

HELIO_TEST(ValueScaleTest)
#include "tst_value_scale.moc"
