// Density of a row's samples by column.

#include "tests/support/test_program.h"
#include "widgets/timeline/graph/lanes/sample_density.h"

#include <QTest>

#include <cmath>

using namespace helio;

namespace {

constexpr auto User = std::size_t(SampleMode::User);
constexpr auto Kernel = std::size_t(SampleMode::Kernel);

/// Makes the lane of a window of 1000 ns.
Lane laneOf(std::vector<SampleTicks> samples, int period)
{
    Lane lane;
    lane.window = {timestamp(0), timestamp(1000)};
    lane.samples = std::move(samples);
    lane.samplePeriod = Duration(period);
    return lane;
}

TimeScale scaleOf(double width) { return {{timestamp(0), timestamp(1000)}, width}; }

bool isNear(float a, double b) { return std::abs(double(a) - b) < 1e-4; }

} // namespace

class SampleDensityTest : public QObject {
    Q_OBJECT

private slots:
    void aSampleStandsForItsPeriodBeforeIt()
    {
        SampleDensity density;
        density.layOut(laneOf({{timestamp(500), 1, SampleMode::User}}, 150), scaleOf(10), 0, 10);

        // The sample at 500 ns stands for the range from 350 to 500 ns: half of column 3 and all of column 4.
        QVERIFY(isNear(density.columns()[3][User], 0.5));
        QVERIFY(isNear(density.columns()[4][User], 1));
        QVERIFY(isNear(density.columns()[5][User], 0));
        QVERIFY(isNear(density.columns()[4][Kernel], 0));
    }

    void manyInOnePixelShareIt()
    {
        SampleDensity density;
        density.layOut(laneOf({{timestamp(110), 2, SampleMode::User}, {timestamp(130), 1, SampleMode::Kernel}}, 20), scaleOf(10), 0, 10);

        QVERIFY(isNear(density.columns()[1][User], 0.3)); // A sample covers 90 to 130; a quarter of it is in the preceding column.
        QVERIFY(isNear(density.columns()[1][Kernel], 0.2));
    }

    void noColumnIsFullerThanFull()
    {
        SampleDensity density;
        density.layOut(laneOf({{timestamp(200), 1, SampleMode::User}, {timestamp(201), 3, SampleMode::Kernel}}, 100), scaleOf(10), 0, 10);

        for (const auto& column : density.columns())
            QVERIFY(column[User] + column[Kernel] <= 1.0001f);
        QVERIFY(density.columns()[1][User] > 0);
    }

    void samplesWithoutAPeriodSayNothingOfTime()
    {
        SampleDensity density;
        density.layOut(laneOf({{timestamp(500), 1, SampleMode::User}}, 0), scaleOf(10), 0, 10);

        for (const auto& column : density.columns())
            QCOMPARE(column[User], 0.0f);
        QVERIFY(!density.isCrowded());
    }

    void itIsPaintedFromTheBaselineUp()
    {
        SampleDensity density;
        density.layOut(laneOf({{timestamp(200), 1, SampleMode::Kernel}, {timestamp(150), 1, SampleMode::User}}, 50), scaleOf(10), 0, 10);
        std::vector<QRgb> bits(10 * 12);
        density.paint({bits.data(), 10, 12, 10}, 10, 8, {1, 2, 3});

        for (int y = 0; y < 12; ++y)
            QCOMPARE(bits[std::size_t(y) * 10 + 1], y < 2 ? 0u : y < 6 ? 1u : y < 10 ? 2u : 0u);
        QCOMPARE(bits[5 * 10 + 3], 0u);
    }
};

HELIO_TEST(SampleDensityTest)
#include "tst_sample_density.moc"
