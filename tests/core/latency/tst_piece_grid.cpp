// Property: each cell of the density grid, by beginning and duration, has as many intervals as the test counts one by one.

#include "core/latency/intervals/density_grid.h"
#include "core/query/rows/duration_distribution.h"
#include "tests/support/made_intervals.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace helio;

namespace {

DensityGridScale scaleOf(bool isLogarithmic, std::uint32_t columns = 37, std::uint32_t rows = 11)
{
    return {{timestamp(0), timestamp(50'000)},
            Duration(MadeIntervals::lengthOf(0, 0)),
            Duration(MadeIntervals::lengthOf(1, 39)),
            isLogarithmic,
            columns,
            rows};
}

} // namespace

class PieceGridTest : public QObject {
    Q_OBJECT

private slots:
    void eachPieceIsInTheCellOfItsBeginAndLength_data()
    {
        QTest::addColumn<bool>("isLogarithmic");
        QTest::newRow("logarithmic") << true;
        QTest::newRow("linear") << false;
    }
    void eachPieceIsInTheCellOfItsBeginAndLength()
    {
        QFETCH(bool, isLogarithmic);
        const auto timeline = MadeIntervals::make({"web", "db"});
        const DensityGridScale scale = scaleOf(isLogarithmic);
        const DensityGrid grid = densityGrid(timeline, {"turns"}, {}, scale, {"odd on db"});
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> expected;
        forEachInterval(timeline, {"turns"}, [&](const NamedInterval& it) {
            // Cell that contains the interval.
            std::uint32_t column = 0, row = 0;
            while (column + 1 < scale.columns && scale.timeAt(column + 1) <= it.range.begin)
                ++column;
            while (row + 1 < scale.rows && scale.lengthAt(row + 1) <= lengthOf(it.range))
                ++row;
            ++expected[{column, row}];
        });
        std::uint64_t count = 0;
        std::uint32_t most = 0;
        for (std::uint32_t row = 0; row < scale.rows; ++row)
            for (std::uint32_t column = 0; column < scale.columns; ++column) {
                const std::uint32_t there = grid.at(column, row).count;
                const auto known = expected.find({column, row});
                QCOMPARE(there, known == expected.end() ? 0U : known->second);
                count += there;
                most = std::max(most, there);
            }
        QCOMPARE(count, std::uint64_t(80));
        QCOMPARE(grid.count, count);
        QCOMPARE(grid.most, most);
        // The longest interval is in the top row.
        QVERIFY(grid.at(std::uint32_t(scale.columnAt(timestamp(39'000))), scale.rows - 1).count > 0);
    }

    void aNameAloneAndTheNamesOfCells()
    {
        const auto timeline = MadeIntervals::make({"web"});
        const DensityGrid grid = densityGrid(timeline, {"turns"}, "even", scaleOf(true), {});
        QCOMPARE(grid.count, std::uint64_t(20));
        const DensityGrid both = densityGrid(timeline, {"turns"}, {}, scaleOf(true, 400, 120), {"odd"});
        for (const DensityGrid::Cell& it : both.cells)
            QVERIFY(it.count == 0 || it.name <= 1);
        QVERIFY(std::ranges::any_of(both.cells, [](const auto& it) { return it.count > 0 && it.name == 0; }));
        QVERIFY(std::ranges::any_of(both.cells, [](const auto& it) { return it.count > 0 && it.name == 1; }));
    }

    void whatLiesOutsideIsAtTheEdge()
    {
        const DensityGridScale scale = scaleOf(true);
        QCOMPARE(scale.columnAt(timestamp(-5)), 0.0);
        QCOMPARE(scale.columnAt(timestamp(1'000'000)), 37.0);
        QCOMPARE(scale.columnAt(Timestamp::min()), 0.0);
        QCOMPARE(scale.columnAt(Timestamp::max()), 37.0);
        QCOMPARE(scale.rowAt(Duration(0)), 0.0);
        QCOMPARE(scale.rowAt(Duration::max()), 11.0);
        const DensityGridScale none{{timestamp(5), timestamp(5)}, Duration(3), Duration(3), true, 2, 2};
        QCOMPARE(none.columnAt(timestamp(5)), 0.0);
        QCOMPARE(none.rowAt(Duration(3)), 0.0);
    }

    void wantedOnesAreCountedAndTheFirstListed()
    {
        const auto timeline = MadeIntervals::make({"web"});
        const auto found = findWantedIntervals(
            timeline, {"turns"}, [](const NamedInterval& it) { return it.name == "odd"; }, 5);
        QCOMPARE(found.count, std::uint64_t(20));
        QCOMPARE(found.intervals.size(), 5U);
        QVERIFY(std::ranges::is_sorted(found.intervals, {}, [](const LocatedInterval& it) { return it.range.begin; }));
    }
};

HELIO_TEST(PieceGridTest)
#include "tst_piece_grid.moc"
