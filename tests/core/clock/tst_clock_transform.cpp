#include "core/clock/clock_transform.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>
#include <optional>
#include <random>

using namespace helio;

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t First = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t Last = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t Epoch = 1'700'000'000'000'000'000;

ClockPoint point(std::int64_t host, std::int64_t experiment, std::int64_t error = 0)
{
    return {hostTime(host), timestamp(experiment), Duration(error)};
}

ClockTransform through(std::vector<ClockPoint> points) { return *ClockTransform::through(std::move(points)); }

/// Random points of a transform: up to 6, with rates of 0.5 to 2 (ns of experiment time per ns of host time), mostly near 1.
std::vector<ClockPoint> randomPoints(std::mt19937_64& random)
{
    std::vector<ClockPoint> points{point(Epoch + std::int64_t(random() % 1'000'000), Epoch - std::int64_t(random() % 1'000'000'000'000))};
    const std::size_t count = 1 + random() % 6;
    while (points.size() < count) {
        const auto host = std::int64_t(2 + random() % (std::uint64_t(1) << random() % 50));
        const std::int64_t most = random() % 2 ? host / 2 : host / 10'000;
        const std::int64_t experiment = host + std::int64_t(random() % std::uint64_t(2 * most + 1)) - most;
        points.push_back(point(nanoseconds(points.back().host) + host, nanoseconds(points.back().experiment) + experiment,
                               std::int64_t(random() % 5000)));
    }
    return points;
}

/// Returns a random time, near the points or far from them.
std::int64_t randomTime(std::mt19937_64& random, const std::vector<ClockPoint>& points)
{
    const std::int64_t base = nanoseconds(points[random() % points.size()].host);
    const auto by = std::int64_t(random() % (std::uint64_t(1) << random() % 58));
    return random() % 2 ? base + by : base - by;
}

/// True if the line through `a` and `b`, rounded down, maps the host time to the experiment time.
bool isOnLine(const ClockPoint& a, const ClockPoint& b, std::int64_t host, std::int64_t experiment)
{
    const Wide run = nanoseconds(b.host) - nanoseconds(a.host);
    const Wide rise = nanoseconds(b.experiment) - nanoseconds(a.experiment);
    const Wide exact = (Wide(host) - nanoseconds(a.host)) * rise;
    const Wide rounded = (Wide(experiment) - nanoseconds(a.experiment)) * run;
    return rounded <= exact && exact < rounded + run;
}

} // namespace

class TestClockTransform : public QObject {
    Q_OBJECT

private slots:
    void byItselfItChangesNothing();
    void aShiftAddsAndSaturates();
    void itGoesThroughAllPointsAndStraightBetween();
    void laterNeverBecomesEarlier();
    void theInverseIsTheFirstTimeNotBefore();
    void thereAndBackIsAtMostOneNanosecondLess();
    void onePointIsAShiftWithItsError();
    void theEndsOfTimeSaturate();
    void theErrorIsThePointsOwnAndGrowsOutside();
    void theErrorHoldsForEveryClockThatThePointsAllow();
    void whatIsNoClockIsAnError_data();
    void shiftedTimesAreAsMuchLater();
    void whatIsNoClockIsAnError();
};

void TestClockTransform::byItselfItChangesNothing()
{
    const ClockTransform same;
    for (const std::int64_t t : {First, std::int64_t(-1), std::int64_t(0), Epoch, Last}) {
        QCOMPARE(nanoseconds(same(hostTime(t))), t);
        QCOMPARE(nanoseconds(same.inverse(timestamp(t))), t);
        QCOMPARE(same.errorAt(hostTime(t)), Duration(0));
    }
    QCOMPARE(same.offset(), Duration(0));
}

void TestClockTransform::aShiftAddsAndSaturates()
{
    const ClockTransform ahead{Duration(500)};
    QCOMPARE(nanoseconds(ahead(hostTime(Epoch))), Epoch + 500);
    QCOMPARE(nanoseconds(ahead.inverse(timestamp(Epoch))), Epoch - 500);
    QCOMPARE(nanoseconds(ahead(hostTime(Last - 3))), Last);
    QCOMPARE(nanoseconds(ahead.inverse(timestamp(First + 3))), First);
    QCOMPARE(ahead.errorAt(hostTime(Epoch)), Duration(0));
    QCOMPARE(ahead.offset(), Duration(500));
}

void TestClockTransform::itGoesThroughAllPointsAndStraightBetween()
{
    std::mt19937_64 random(1);
    for (int n = 0; n < 300; ++n) {
        const auto points = randomPoints(random);
        const ClockTransform clock = through(points);
        for (const ClockPoint& p : points) {
            QVERIFY(clock(p.host) == p.experiment);
            QVERIFY(clock.inverse(p.experiment) == p.host);
        }
        for (int i = 0; points.size() > 1 && i < 50; ++i) {
            const std::int64_t t = randomTime(random, points);
            std::size_t line = 0;
            while (line + 2 < points.size() && nanoseconds(points[line + 1].host) <= t)
                ++line;
            QVERIFY(isOnLine(points[line], points[line + 1], t, nanoseconds(clock(hostTime(t)))));
        }
    }
}

void TestClockTransform::laterNeverBecomesEarlier()
{
    std::mt19937_64 random(2);
    for (int n = 0; n < 300; ++n) {
        const auto points = randomPoints(random);
        const ClockTransform clock = through(points);
        for (int i = 0; i < 50; ++i) {
            const std::int64_t a = i % 2 ? randomTime(random, points) : nanoseconds(points[random() % points.size()].host) - 2;
            const std::int64_t b = i % 4 ? a + std::int64_t(random() % 4) : std::max(a, randomTime(random, points));
            QVERIFY(clock(hostTime(a)) <= clock(hostTime(b)));
            QVERIFY(clock.inverse(timestamp(a)) <= clock.inverse(timestamp(b)));
        }
    }
}

void TestClockTransform::theInverseIsTheFirstTimeNotBefore()
{
    std::mt19937_64 random(3);
    for (int n = 0; n < 300; ++n) {
        const auto points = randomPoints(random);
        const ClockTransform clock = through(points);
        for (int i = 0; i < 50; ++i) {
            const Timestamp t = timestamp(randomTime(random, points));
            const HostTimestamp host = clock.inverse(t);
            QVERIFY(clock(host) >= t);
            QVERIFY(clock(host - Duration(1)) < t);
        }
    }
}

void TestClockTransform::thereAndBackIsAtMostOneNanosecondLess()
{
    std::mt19937_64 random(4);
    for (int n = 0; n < 300; ++n) {
        const auto points = randomPoints(random);
        const ClockTransform clock = through(points);
        for (int i = 0; i < 50; ++i) {
            const std::int64_t t = randomTime(random, points);
            const std::int64_t back = nanoseconds(clock.inverse(clock(hostTime(t))));
            QVERIFY(back == t || back == t - 1);
        }
    }
}

void TestClockTransform::onePointIsAShiftWithItsError()
{
    const ClockTransform clock = through({point(Epoch, Epoch - 900, 25)});
    QCOMPARE(nanoseconds(clock(hostTime(Epoch + 77))), Epoch - 900 + 77);
    QCOMPARE(nanoseconds(clock(hostTime(Epoch - 77))), Epoch - 900 - 77);
    QCOMPARE(nanoseconds(clock.inverse(timestamp(0))), std::int64_t(900));
    QCOMPARE(clock.errorAt(hostTime(0)), Duration(25));
    QCOMPARE(clock.offset(), Duration(-900));
}

void TestClockTransform::theEndsOfTimeSaturate()
{
    // The steepest lines and the most distant points possible.
    for (const auto& points : std::vector<std::vector<ClockPoint>>{{point(0, 0), point(1, 2)},
                                                                   {point(Epoch, -Epoch), point(Epoch + 1000, 2000 - Epoch)},
                                                                   {point(First, 0), point(First + 1, 2)}}) {
        const ClockTransform clock = through(points);
        QCOMPARE(nanoseconds(clock(hostTime(Last))), Last);
        QVERIFY(clock(hostTime(First)) <= clock(hostTime(First + 1)));
        QVERIFY(clock.inverse(timestamp(First)) <= clock.inverse(timestamp(Last)));
        QVERIFY(clock.errorAt(hostTime(First)) >= Duration(0));
    }
    const ClockTransform slow = through({point(0, 0), point(2, 1)});
    QCOMPARE(nanoseconds(slow(hostTime(Last))), Last / 2);
    QCOMPARE(nanoseconds(slow(hostTime(First))), First / 2);
    QCOMPARE(nanoseconds(slow.inverse(timestamp(Last))), Last);
    QCOMPARE(nanoseconds(slow.inverse(timestamp(First))), First);
    const ClockTransform all = through({point(First, First), point(Last, Last)}); // The two points are 2^64 - 1 ns apart.
    for (const std::int64_t t : {First, First + 1, std::int64_t(0), Epoch, Last})
        QCOMPARE(nanoseconds(all(hostTime(t))), t);
    const ClockTransform vague = through({point(0, 0, Last), point(1, 1, Last)});
    QCOMPARE(vague.errorAt(hostTime(Last)), Duration::max());
    QCOMPARE(vague.errorAt(hostTime(First)), Duration::max());
}

void TestClockTransform::theErrorIsThePointsOwnAndGrowsOutside()
{
    const ClockTransform even = through({point(1000, 5000, 10), point(2000, 6000, 30)});
    QCOMPARE(even.errorAt(hostTime(1000)), Duration(10));
    QCOMPARE(even.errorAt(hostTime(1500)), Duration(20));
    QCOMPARE(even.errorAt(hostTime(1501)), Duration(21)); // The interpolated error is 20.02 ns, which is rounded up.
    QCOMPARE(even.errorAt(hostTime(2000)), Duration(30));
    QCOMPARE(even.errorAt(hostTime(3000)), Duration(70));
    QCOMPARE(even.errorAt(hostTime(0)), Duration(50));
    const ClockTransform drifting = through({point(1000, 5000, 10), point(2000, 6001, 30)});
    // The interpolated error is 20 ns; 1 ns is added, because the converted time is rounded.
    QCOMPARE(drifting.errorAt(hostTime(1500)), Duration(21));
}

/// Input: a transform through two points with errors, and a true clock: a straight line that passes each point at a distance of at most the
/// point's error. Property: at any time, the converted time differs from the true time by at most errorAt().
void TestClockTransform::theErrorHoldsForEveryClockThatThePointsAllow()
{
    std::mt19937_64 random(5);
    for (int n = 0; n < 2000; ++n) {
        const auto run = std::int64_t(100'000 + random() % 1'000'000);
        const auto rise = run + std::int64_t(random() % 2000) - 1000;
        const auto errorA = std::int64_t(random() % 500);
        const auto errorB = std::int64_t(random() % 500);
        const ClockTransform clock = through({point(0, 0, errorA), point(run, rise, errorB)});
        const std::int64_t trueA = errorA ? std::int64_t(random() % std::uint64_t(2 * errorA + 1)) - errorA : 0;
        const std::int64_t trueB = rise + (errorB ? std::int64_t(random() % std::uint64_t(2 * errorB + 1)) - errorB : 0);
        const std::int64_t t = std::int64_t(random() % 4'000'000) - 2'000'000;

        const Wide exact = Wide(trueA) * run + Wide(t) * (trueB - trueA); // The true time at `t`, multiplied by `run` to avoid a division.
        const Wide off = Wide(nanoseconds(clock(hostTime(t)))) * run - exact;
        QVERIFY((off < 0 ? -off : off) <= Wide(clock.errorAt(hostTime(t)).count()) * run);
    }
}

void TestClockTransform::shiftedTimesAreAsMuchLater()
{
    const ClockTransform plain(Duration(40));
    QCOMPARE(plain.shiftedBy(Duration(-50))(hostTime(100)), timestamp(90));
    QVERIFY(plain.shiftedBy(Duration(-50)) == ClockTransform(Duration(-10)));
    QVERIFY(ClockTransform(Duration::max()).shiftedBy(Duration(1)) == ClockTransform(Duration::max()));

    const ClockTransform lines = through({point(0, 5, 3), point(1000, 1505, 7), point(3000, 3005)});
    const ClockTransform later = lines.shiftedBy(Duration(70));
    for (std::int64_t t = -2000; t < 5000; t += 37) {
        QCOMPARE(later(hostTime(t)), lines(hostTime(t)) + Duration(70));
        QCOMPARE(later.errorAt(hostTime(t)), lines.errorAt(hostTime(t)));
    }
}

void TestClockTransform::whatIsNoClockIsAnError_data()
{
    QTest::addColumn<std::vector<ClockPoint>>("points");
    QTest::newRow("nothing") << std::vector<ClockPoint>{};
    QTest::newRow("the host's clock stands") << std::vector{point(5, 1), point(5, 2)};
    QTest::newRow("the experiment's clock stands") << std::vector{point(5, 1), point(6, 1)};
    QTest::newRow("one goes back") << std::vector{point(5, 1), point(50, 46), point(40, 90)};
    QTest::newRow("a negative error") << std::vector{point(5, 1, -1)};
    QTest::newRow("too fast") << std::vector{point(0, 0), point(10, 21)};
    QTest::newRow("too slow") << std::vector{point(0, 0), point(21, 10)};
    QTest::newRow("far too fast") << std::vector{point(0, First), point(1, Last)};
}

void TestClockTransform::whatIsNoClockIsAnError()
{
    QFETCH(std::vector<ClockPoint>, points);

    const auto clock = ClockTransform::through(points);

    QVERIFY(!clock);
    QVERIFY(clock.error().kind == Error::Kind::Corrupt);
}

HELIO_TEST(TestClockTransform)
#include "tst_clock_transform.moc"
