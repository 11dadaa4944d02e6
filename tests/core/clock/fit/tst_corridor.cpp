#include "core/clock/fit/corridor.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>
#include <random>

using namespace helio;

namespace {

using Point = Hull::Point;

/// Reference implementation, which tests every pair of points: returns the corners of the lower hull. A point is not a corner if it lies on
/// or above a line between two other points.
std::vector<Point> cornersOf(std::vector<Point> points)
{
    std::ranges::sort(points, [](const Point& a, const Point& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
    points.erase(std::unique(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x == b.x; }), points.end());
    std::vector<Point> corners;
    for (const Point& p : points) {
        bool isCorner = true;
        for (const Point& a : points)
            for (const Point& b : points)
                if (a.x < p.x && p.x < b.x && Int128(p.y - a.y) * (b.x - a.x) >= Int128(b.y - a.y) * (p.x - a.x))
                    isCorner = false;
        if (isCorner)
            corners.push_back(p);
    }
    return corners;
}

/// Reference implementation: returns the lowest and the highest y at x over all lines in the corridor whose slope is between -0.01 and
/// 0.01. It tries the lines through each pair of bounds, and the lines with slopes -0.01 and 0.01 through each bound.
std::optional<std::pair<long double, long double>> triedOut(const std::vector<Point>& ceilings, const std::vector<Point>& floors,
                                                            std::int64_t x)
{
    std::vector<std::pair<long double, long double>> lines; // Candidate lines: slope, and y at 0.
    std::vector<Point> all = ceilings;
    all.insert(all.end(), floors.begin(), floors.end());
    for (const Point& a : all) {
        for (const long double slope : {-0.01L, 0.01L})
            lines.emplace_back(slope, a.y - slope * a.x);
        for (const Point& b : all)
            if (a.x < b.x) {
                const long double slope = static_cast<long double>(b.y - a.y) / static_cast<long double>(b.x - a.x);
                lines.emplace_back(slope, a.y - slope * a.x);
            }
    }
    std::optional<std::pair<long double, long double>> found;
    for (const auto& [slope, base] : lines) {
        const auto at = [&, s = slope, b = base](std::int64_t where) { return s * where + b; };
        constexpr long double Slack = 1e-6L;
        const bool fits = slope >= -0.01L && slope <= 0.01L
            && std::ranges::all_of(ceilings, [&](const Point& p) { return at(p.x) <= p.y + Slack; })
            && std::ranges::all_of(floors, [&](const Point& p) { return at(p.x) >= p.y - Slack; });
        if (!fits)
            continue;
        const long double y = at(x);
        found = found ? std::pair(std::min(found->first, y), std::max(found->second, y)) : std::pair(y, y);
    }
    return found;
}

} // namespace

class TestCorridor : public QObject {
    Q_OBJECT

private slots:
    void hullIsThatOfAllPairsInWhateverOrderPointsCome()
    {
        std::mt19937_64 random(1);
        for (int round = 0; round < 400; ++round) {
            std::vector<Point> points;
            const std::size_t count = 1 + random() % 14;
            for (std::size_t i = 0; i < count; ++i)
                points.push_back({std::int64_t(random() % 12), std::int64_t(random() % 12)});
            Hull hull;
            for (const Point& point : points)
                hull.add(point);
            QCOMPARE(hull.corners(), cornersOf(points));
        }
    }

    void hullOfTheLargestNumbersDoesNotOverflow()
    {
        constexpr std::int64_t Far = Hull::Most - 1;
        Hull hull;
        for (const Point& point : {Point{-Far, Far}, Point{0, Far - 1}, Point{Far, Far}, Point{1, -Far}, Point{-1, Far}})
            hull.add(point);
        QCOMPARE(hull.corners(), (std::vector<Point>{{-Far, Far}, {1, -Far}, {Far, Far}}));
        QCOMPARE(hull.tangentCorner({0, 1}), (Point{1, -Far}));
        QCOMPARE(hull.tangentCorner({Far, 1}), (Point{Far, Far}));
    }

    void rangeIsThatOfAllLinesThatFit()
    {
        std::mt19937_64 random(2);
        int open = 0;
        for (int round = 0; round < 600; ++round) {
            std::vector<Point> ceilings, floors;
            Corridor corridor;
            for (std::size_t i = 0, count = 1 + random() % 6; i < count; ++i)
                ceilings.push_back({std::int64_t(random() % 1000) * 1000, std::int64_t(random() % 5000)});
            for (std::size_t i = 0, count = 1 + random() % 6; i < count; ++i)
                floors.push_back({std::int64_t(random() % 1000) * 1000, -std::int64_t(random() % 5000) + (round % 3 == 0 ? 3000 : 0)});
            for (const Point& point : ceilings)
                corridor.addCeiling(point.x, point.y);
            for (const Point& point : floors)
                corridor.addFloor(point.x, point.y);
            const bool isOpen = corridor.open();
            const auto expected = triedOut(ceilings, floors, 0);
            QCOMPARE(isOpen, expected.has_value());
            if (!isOpen)
                continue;
            ++open;
            for (const std::int64_t x : {-400'000, 0, 123'456, 500'000, 999'000, 1'700'000}) {
                const auto [low, high] = *triedOut(ceilings, floors, x);
                const Corridor::Range range = corridor.at(x);
                QVERIFY2(std::abs(range.low - low) <= 1.001L && range.low <= low + 1e-3L,
                         qPrintable(QString::number(double(range.low - low))));
                QVERIFY2(std::abs(range.high - high) <= 1.001L && range.high >= high - 1e-3L,
                         qPrintable(QString::number(double(range.high - high))));
                QVERIFY(range.low <= corridor.middleAt(x) && corridor.middleAt(x) <= range.high);
            }
        }
        QVERIFY(open > 200 && open < 600);
    }

    void saysWhichSlopesPointsBound()
    {
        Corridor corridor;
        corridor.addCeiling(0, 10);
        corridor.addFloor(1'000'000, -10);
        QVERIFY(corridor.open());
        // No ceiling lies to the right of the floor, so no packets limit the steepest line.
        QVERIFY(!corridor.steepest().isBoundByMessages);
        QVERIFY(corridor.flattest().isBoundByMessages);
        QCOMPARE(corridor.flattest().slope.rise * 1'000'000 / corridor.flattest().slope.run, -20);
    }
};

HELIO_TEST(TestCorridor)
#include "tst_corridor.moc"
