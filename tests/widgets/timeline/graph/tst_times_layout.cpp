// Layout of marked times in pixel columns.

#include "tests/support/test_program.h"
#include "widgets/timeline/graph/lanes/times_layout.h"

#include <QTest>

#include <map>
#include <random>

using namespace helio;

class TimesLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void eachMomentCountsOnceInItsColumn()
    {
        const std::vector<Timestamp> times{timestamp(5),  timestamp(10), timestamp(19), timestamp(20),
                                           timestamp(45), timestamp(50), timestamp(70)};
        const TimeScale scale({timestamp(10), timestamp(50)}, 4);

        QCOMPARE(computeTimesColumns(times, scale), (std::vector<TimesColumn>{{0, 2}, {1, 1}, {3, 1}}));
        QVERIFY(computeTimesColumns(times, TimeScale()).empty());
        QVERIFY(computeTimesColumns({}, scale).empty());
    }

    void columnsAreThoseOfCountingOneByOne()
    {
        std::mt19937 dice(7);
        for (int round = 0; round < 200; ++round) {
            const std::int64_t length = 1 + dice() % 5000;
            std::vector<Timestamp> times(dice() % 300);
            for (Timestamp& it : times)
                it = timestamp(std::int64_t(dice() % 6000) - 500);
            std::ranges::sort(times);
            const TimeScale scale({timestamp(100), timestamp(100 + length)}, 1 + dice() % 700);
            std::map<int, std::uint32_t> counted;
            for (const Timestamp it : times)
                if (it >= scale.window().begin && it < scale.window().end)
                    ++counted[int(scale.xAt(it))];
            std::vector<TimesColumn> expected;
            for (const auto& [x, count] : counted)
                expected.push_back({x, count});
            QCOMPARE(computeTimesColumns(times, scale), expected);
        }
    }
};

HELIO_TEST(TimesLayoutTest)
#include "tst_times_layout.moc"
