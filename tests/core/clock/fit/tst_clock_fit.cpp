#include "core/clock/fit/clock_fit.h"
#include "core/clock/fit/host_clocks.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace helio;

namespace {

constexpr std::int64_t Epoch = 1'795'260'000'000'000'000;

/// Two simulated clocks and the packets between them.
struct Simulation {
    std::int64_t offset = 0; ///< Offset of the other clock at the time Epoch of this clock, in ns; positive if the other clock is ahead.
    double drift = 0; ///< Drift: gain of the other clock in ns for each ns of this clock.
    double span = 1e9; ///< Length of the simulated time in ns.
    double bend = 0; ///< Amount in ns per ns by which the drift changes in the middle of the simulated time.
    /// Further changes of the drift: time in ns after the beginning, and amount in ns per ns.
    std::vector<std::pair<double, double>> bends{};
    std::int64_t leastDelay = 10'000;
    double jitter = 30'000; ///< Mean of the exponentially distributed extra delay, in ns.
    double asymmetry = 1; ///< Ratio of the delay towards this host to the delay from this host.
    int messages = 200;

    double lead(double x) const
    {
        double lead = drift * x + bend * std::max(0.0, x - span / 2);
        for (const auto& [from, more] : bends)
            lead += more * std::max(0.0, x - from);
        return lead;
    }
    std::int64_t thereAt(std::int64_t here) const { return Epoch + here + offset + std::llround(lead(double(here))); }

    std::vector<ClockSample> run(std::mt19937_64& random, bool isOneWay = false) const
    {
        std::uniform_real_distribution<double> even(0, 1);
        std::vector<ClockSample> passages;
        for (int i = 0; i < messages; ++i) {
            const auto begin = static_cast<std::int64_t>(even(random) * span);
            const bool isArrival = !isOneWay && random() % 2 == 0;
            const auto delay =
                static_cast<std::int64_t>((isArrival ? asymmetry : 1) * (double(leastDelay) - jitter * std::log(even(random) + 1e-12)));
            if (!isArrival)
                passages.push_back({hostTime(Epoch + begin), timestamp(thereAt(begin + delay)), false});
            else
                passages.push_back({hostTime(Epoch + begin + delay), timestamp(thereAt(begin)), true});
        }
        return passages;
    }

    /// True if the true offset lies within the fit's error at 501 times in the simulated time.
    bool isWithin(const ClockFit& fit, std::int64_t slack = 1) const
    {
        const auto clock = ClockTransform::through(fit.points);
        if (!clock)
            return false;
        for (int i = 0; i <= 500; ++i) {
            const auto here = static_cast<std::int64_t>(span * i / 500);
            const std::int64_t off = nanoseconds((*clock)(hostTime(Epoch + here))) - thereAt(here);
            if (std::abs(off) > clock->errorAt(hostTime(Epoch + here)).count() + slack)
                return false;
        }
        return true;
    }

    /// True if the fitted gain (fit.line.gain, in 10^-18) equals the simulated drift, within fit.driftError.
    bool hasDriftOf(const ClockFit& fit) const
    {
        return fit.driftError && std::abs(double(fit.line.gain) * 1e-18 - drift) <= double(*fit.driftError) * 1e-12 + 2e-18;
    }
    /// Returns a simulation of the inverse clock. Only its member `drift` is valid, which suffices for hasDriftOf().
    Simulation withInverseDrift() const
    {
        Simulation other = *this;
        other.drift = 1 / (1 + drift) - 1;
        return other;
    }
};

Simulation randomSimulation(std::mt19937_64& random)
{
    std::uniform_real_distribution<double> even(0, 1);
    Simulation it;
    it.offset = static_cast<std::int64_t>((even(random) - 0.5) * 2e14);
    it.drift = (even(random) - 0.5) * 1e-3;
    it.span = std::pow(10, 7 + 8 * even(random)); // Spans of 10 ms to 11 days, so that products of two spans need up to 100 bits.
    it.leastDelay = static_cast<std::int64_t>(std::pow(10, 3 + 4 * even(random)));
    it.jitter = double(it.leastDelay) * 5 * even(random);
    it.asymmetry = 1 + 4 * even(random);
    it.messages = 2 + static_cast<int>(random() % 500);
    return it;
}

} // namespace

class TestClockFit : public QObject {
    Q_OBJECT

private slots:
    void truthLiesWithinWhatIsSaid()
    {
        std::mt19937_64 random(1);
        int tried = 0, right = 0;
        for (int i = 0; i < 2000; ++i) {
            const Simulation it = randomSimulation(random);
            const ClockFit fit = fitClocks(it.run(random));
            if (fit.quality == FitQuality::OneWay)
                continue;
            QVERIFY(fit.quality == FitQuality::Accurate || fit.quality == FitQuality::Approximate);
            QVERIFY(fit.outliers.empty() && fit.intervals.empty());
            ++tried;
            right += it.isWithin(fit) ? 1 : 0;
            QVERIFY(it.hasDriftOf(fit));
            QVERIFY(it.withInverseDrift().hasDriftOf(inverse(fit)));
        }
        QVERIFY(tried > 1900);
        QVERIFY2(right >= tried * 999 / 1000, qPrintable(QString::number(right)));
    }

    void boundIsAtMostTwiceTheBest()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 300; ++i) {
            const Simulation it = randomSimulation(random);
            const std::vector<ClockSample> passages = it.run(random);
            const ClockFit fit = fitClocks(passages);
            if (fit.quality != FitQuality::Accurate)
                continue;
            // All clock offsets that the samples allow. No fit can have a smaller error than half of the corridor's height.
            Corridor corridor;
            for (const ClockSample& p : passages) {
                const std::int64_t x = nanoseconds(p.here) - Epoch;
                const std::int64_t y = nanoseconds(p.there) - nanoseconds(p.here) - it.offset;
                p.isArrival ? corridor.addFloor(x, y) : corridor.addCeiling(x, y);
            }
            QVERIFY(corridor.open());
            const auto clock = ClockTransform::through(fit.points);
            std::int64_t best = 0;
            for (const ClockPoint& point : fit.points) {
                if (point.host < fit.span.begin || point.host > fit.span.end)
                    continue;
                const auto range = corridor.at(nanoseconds(point.host) - Epoch);
                QVERIFY(point.error.count() <= range.high - range.low + 3);
                best = std::max(best, (range.high - range.low + 1) / 2);
            }
            QVERIFY(fit.error.count() <= 2 * best + 3);
            QVERIFY(fit.minError <= fit.error);
        }
    }

    void reorderedLostAndRepeatedMessagesAreTheSame()
    {
        std::mt19937_64 random(3);
        Simulation it;
        it.drift = 41e-6;
        std::vector<ClockSample> passages = it.run(random);
        const ClockFit sorted = fitClocks(passages);
        std::shuffle(passages.begin(), passages.end(), random);
        passages.insert(passages.end(), passages.begin(), passages.begin() + 20);
        const ClockFit shuffled = fitClocks(passages);
        QCOMPARE(shuffled.error, sorted.error);
        QVERIFY(shuffled.line == sorted.line);
    }

    void fewWrongMatchesAreNamedAndNotObeyed()
    {
        std::mt19937_64 random(4);
        for (int i = 0; i < 60; ++i) {
            Simulation it;
            it.drift = (double(i) - 30) * 1e-6;
            it.offset = 4'412'000'000;
            it.span = 20e9;
            it.messages = 400;
            std::vector<ClockSample> passages = it.run(random);
            std::vector<std::uint32_t> wrong;
            for (const std::uint32_t place : {17u, 80u, 81u, 250u, 399u})
                if (i % 6 >= int(wrong.size())) {
                    // Makes the sample impossible: the packet arrives before the shortest possible transit time.
                    passages[place].there += std::chrono::milliseconds((passages[place].isArrival ? 1 : -1) * (50 + int(place)));
                    wrong.push_back(place);
                }
            const ClockFit fit = fitClocks(passages);
            QVERIFY(fit.quality == FitQuality::Accurate);
            QCOMPARE(fit.outliers, wrong);
            QVERIFY(fit.intervals.empty());
            QVERIFY(it.isWithin(fit));
            QVERIFY(fit.error < std::chrono::microseconds(60));
        }
    }

    /// Input: 30,000 samples, some of them wrong. Property: all outliers are found, although the fit checks only a part of the samples
    /// again after it has removed an outlier.
    void wrongOnesAmongManyAreNamedToo()
    {
        std::mt19937_64 random(11);
        Simulation it;
        it.offset = -3'000'000;
        it.drift = 40e-6;
        it.span = 60e9;
        it.messages = 30'000;
        std::vector<ClockSample> passages = it.run(random);
        std::vector<std::uint32_t> wrong;
        for (std::uint32_t i = 50; i < passages.size(); i += 211) {
            // The packet seems to arrive before it was sent.
            passages[i].there += std::chrono::milliseconds(passages[i].isArrival ? 40 : -40);
            wrong.push_back(i);
        }
        const ClockFit fit = fitClocks(passages);
        QVERIFY(fit.quality == FitQuality::Accurate);
        QCOMPARE(fit.outliers, wrong);
        QVERIFY(it.isWithin(fit));
    }

    void contradictionIsFailure()
    {
        std::mt19937_64 random(5);
        Simulation it;
        std::vector<ClockSample> passages = it.run(random);
        for (ClockSample& passage : passages)
            passage.there += std::chrono::milliseconds(random() % 1000);
        const ClockFit fit = fitClocks(passages);
        QVERIFY(fit.quality == FitQuality::Failed);
        QVERIFY(fit.points.empty());
        QCOMPARE(fit.arrivals + fit.departures, passages.size());
    }

    void fewMessagesOneWayBoundAClockThatBends()
    {
        std::mt19937_64 random(16);
        int bent = 0;
        for (const double turn : {40e-6, -40e-6}) {
            Simulation it;
            it.drift = -turn / 2;
            it.bend = turn;
            it.span = 60e9;
            it.leastDelay = 100'000;
            it.jitter = 10'000;
            it.messages = 12'000;
            for (const bool isArrivalRare : {true, false}) {
                std::vector<ClockSample> passages = it.run(random);
                std::erase_if(passages, [&](const ClockSample& passage) {
                    const std::int64_t x = nanoseconds(passage.here) - Epoch;
                    return passage.isArrival == isArrivalRare && x > 200'000'000 && x < std::int64_t(it.span) - 200'000'000;
                });
                const ClockFit fit = fitClocks(passages);
                QVERIFY(fit.quality == FitQuality::Accurate);
                QVERIFY2(fit.error > Duration{} && fit.error < std::chrono::milliseconds(100),
                         qPrintable(QString::number(fit.error.count())));
                QVERIFY(fit.minError > Duration{});
                bent += !fit.intervals.empty();
                if (!fit.intervals.empty())
                    QVERIFY(it.isWithin(fit));
            }
        }
        // One direction has messages only near both ends of the span, so its bounds are missing in the middle. In two of the four cases,
        // the clock bends to the side of the missing bounds. No single line then satisfies the messages of both directions, so the fit
        // needs several lines. In the other two cases, one line satisfies all messages.
        QCOMPARE(bent, 2);
    }

    void clockThatChangesItsRateHasPieces()
    {
        std::mt19937_64 random(6);
        Simulation it;
        it.drift = 30e-6;
        it.bend = 60e-6;
        it.span = 100e9;
        it.messages = 20'000;
        const ClockFit fit = fitClocks(it.run(random));
        QVERIFY(fit.quality == FitQuality::Accurate);
        QVERIFY(fit.intervals.size() > 1);
        // The clock's rate changes within the time range of one line of the fit, not at the end of the range. The error bound must include
        // the resulting error.
        QVERIFY(it.isWithin(fit));
        QVERIFY(fit.error < std::chrono::microseconds(100));
        // The change of the drift adds 3 ms to the clock's offset until the end of the span. A single line is wrong by up to a quarter of
        // this, 0.75 ms. Its error bound must include this error.
        QVERIFY(fit.lineError > std::chrono::microseconds(500));
        for (int i = 0; i <= 20; ++i) {
            const auto here = static_cast<std::int64_t>(it.span * i / 20);
            QVERIFY(std::abs(nanoseconds(fit.line(hostTime(Epoch + here))) - it.thereAt(here)) <= fit.lineError.count());
        }
    }

    /// Input: clocks that a time service slews now and then. Property: the true offset is within the error bound, unless no packet
    /// contradicts a single line (then the bend cannot be detected).
    void truthLiesWithinWhatIsSaidAroundBendsToo()
    {
        std::mt19937_64 random(61);
        std::uniform_real_distribution<double> even(0, 1);
        int bent = 0, right = 0;
        constexpr int All = 80;
        for (int i = 0; i < All; ++i) {
            Simulation it;
            it.offset = static_cast<std::int64_t>((even(random) - 0.5) * 1e10);
            it.drift = (even(random) - 0.5) * 2e-4;
            it.span = std::pow(10, 10 + 2.5 * even(random)); // Span of 10 s to 50 min.
            it.messages = 300 + static_cast<int>(random() % 3000);
            it.leastDelay = static_cast<std::int64_t>(std::pow(10, 3.5 + 1.5 * even(random)));
            it.jitter = double(it.leastDelay) * 3 * even(random);
            it.asymmetry = 1 + even(random);
            const int bends = 1 + static_cast<int>(random() % 3);
            for (int k = 0; k < bends; ++k)
                it.bends.emplace_back(even(random) * it.span, (even(random) - 0.5) * 2e-4);
            const ClockFit fit = fitClocks(it.run(random));
            if (fit.intervals.empty())
                continue;
            ++bent;
            right += it.isWithin(fit) ? 1 : 0;
        }
        QVERIFY2(bent > All * 9 / 10, qPrintable(QString::number(bent)));
        QVERIFY2(right == bent, qPrintable(QString("%1 of %2").arg(right).arg(bent)));
    }

    void oneWayIsSaidAndHasNoError()
    {
        std::mt19937_64 random(7);
        Simulation it;
        it.offset = 3'000'000'000;
        const ClockFit fit = fitClocks(it.run(random, true));
        QVERIFY(fit.quality == FitQuality::OneWay);
        QCOMPARE(fit.error, Duration::max());
        QCOMPARE(fit.arrivals, std::size_t(0));
        // With packets in one direction only, the offset assumes that the fastest packet takes no time.
        const std::int64_t off = nanoseconds(fit.line(hostTime(Epoch))) - it.thereAt(0);
        QVERIFY(off >= 0 && off < 1'000'000);
    }

    void oneMessageEachWayBoundsTheOffset()
    {
        const std::vector<ClockSample> passages{{hostTime(1000), timestamp(5'000'000'000), false},
                                                {hostTime(9000), timestamp(5'000'002'000), true}};
        const ClockFit fit = fitClocks(passages);
        QVERIFY(fit.quality == FitQuality::Approximate);
        QCOMPARE(ClockTransform::through(fit.points)->errorAt(hostTime(5000)) < Duration(6000), true);
    }

    void nothingIsKnownFromNothing() { QVERIFY(fitClocks({}).quality == FitQuality::None); }

    void timesAtTheEndsOfTimeAreRefused()
    {
        using Limits = std::numeric_limits<std::int64_t>;
        std::mt19937_64 random(8);
        Simulation it;
        std::vector<ClockSample> passages = it.run(random);
        passages.push_back({hostTime(Limits::min()), timestamp(Limits::max()), false});
        passages.push_back({hostTime(Limits::max()), timestamp(Limits::min()), true});
        const ClockFit fit = fitClocks(passages);
        QVERIFY(fit.quality == FitQuality::Accurate);
        QCOMPARE(fit.outliers, (std::vector<std::uint32_t>{200, 201}));
        QVERIFY(it.isWithin(fit));
    }

    void theOtherWayRoundIsTheSame()
    {
        std::mt19937_64 random(9);
        Simulation it;
        it.drift = -80e-6;
        it.offset = -1'250'000'000;
        it.span = 15e9;
        const ClockFit fit = fitClocks(it.run(random));
        const ClockFit back = inverse(fit);
        const auto there = *ClockTransform::through(fit.points);
        const auto here = *ClockTransform::through(back.points);
        for (std::int64_t at = 0; at <= 15; ++at) {
            const HostTimestamp t = hostTime(Epoch + at * 1'000'000'000);
            const std::int64_t again = nanoseconds(here(hostTime(nanoseconds(there(t)))));
            QVERIFY(std::abs(again - nanoseconds(t)) <= 2);
            QVERIFY(std::abs(nanoseconds(back.line(hostTime(nanoseconds(fit.line(t))))) - nanoseconds(t)) <= 2);
        }
        QCOMPARE(back.arrivals, fit.departures);
    }

    void hostsThatNeverTalkAreAlignedByWayOfOthers()
    {
        std::mt19937_64 random(10);
        Simulation near, far; // near: clock 1 compared with clock 0; far: clock 2 with clock 1.
        near.offset = 4'000'000'000, near.drift = 50e-6, near.span = 30e9;
        far.offset = -1'250'000'000, far.drift = -30e-6, far.span = 30e9;
        // A direct comparison of clock 2 with clock 0, with a larger error.
        Simulation direct;
        direct.offset = near.offset + far.offset, direct.drift = 20e-6, direct.span = 30e9, direct.leastDelay = 5'000'000;
        for (const bool hasDirect : {false, true}) {
            std::vector<HostClockPair> pairs{{1, 0, fitClocks(near.run(random))}, {1, 2, inverse(fitClocks(far.run(random)))}};
            if (hasDirect)
                pairs.push_back({0, 2, inverse(fitClocks(direct.run(random)))});
            const std::vector<HostClockPath> paths = findClockPaths(0, 4, pairs);
            QVERIFY(paths[0].isReached && paths[0].hosts.empty());
            QVERIFY(!paths[3].isReached);
            QCOMPARE(paths[1].hosts, std::vector<std::uint32_t>{0});
            QCOMPARE(paths[2].hosts, (std::vector<std::uint32_t>{1, 0}));
            const auto clock = *ClockTransform::through(paths[2].fit.points);
            for (std::int64_t at = 0; at <= 30; ++at) {
                const std::int64_t here = at * 1'000'000'000;
                const std::int64_t middle = far.thereAt(here) - Epoch;
                const std::int64_t truth = near.thereAt(middle);
                const HostTimestamp t = hostTime(Epoch + here);
                QVERIFY(std::abs(nanoseconds(clock(t)) - truth) <= clock.errorAt(t).count());
                QVERIFY(std::abs(nanoseconds(paths[2].fit.line(t)) - truth) <= paths[2].fit.lineError.count() + 3);
            }
            QVERIFY(paths[2].fit.error < std::chrono::milliseconds(1));
            QVERIFY(paths[2].fit.error > paths[1].fit.error);
            Simulation both;
            both.drift = (1 + near.drift) * (1 + far.drift) - 1;
            QVERIFY(both.hasDriftOf(paths[2].fit));
            QVERIFY(paths[2].fit.driftError > paths[1].fit.driftError);
        }
    }

    void theErrorOfTwoStepsIsTheLargestAlsoInside()
    {
        const auto at = [](std::int64_t s) { return Epoch + s * 1'000'000'000; };
        ClockFit bent;
        bent.quality = FitQuality::Accurate;
        bent.line = {hostTime(at(0)), timestamp(at(0)), 0};
        for (const auto& [s, error] : {std::pair{-10, 10}, std::pair{0, 100'000}, std::pair{10, 10}})
            bent.points.push_back({hostTime(at(s)), timestamp(at(s) + 3 * (s == 0)), Duration(error)});
        bent.intervals = intervalsThrough(bent.points);
        bent.span = {hostTime(at(-10)), hostTime(at(10))};
        bent.surest = bent.span.begin;
        ClockFit straight = bent;
        straight.intervals.clear();
        for (ClockPoint& point : straight.points)
            point.experiment = timestamp(nanoseconds(point.host)), point.error = Duration(7);
        const ClockFit both = composed(bent, straight);
        // The largest errors of both steps (100,000 ns and 7 ns) add up, with at most 3 ns for rounding.
        QVERIFY(both.error >= Duration(100'007) && both.error <= Duration(100'010));
        QCOMPARE(both.lineError, both.error + Duration(3));
        QVERIFY(both.minError >= Duration(17) && both.minError <= Duration(19));
    }

    void ratesBeyondAllClocksAreStillNumbers()
    {
        constexpr std::int64_t One = ClockLine::PerOne;
        QCOMPARE((ClockLine{{}, {}, One}.rate()), std::string("2.00000000000000000000"));
        QCOMPARE((ClockLine{{}, {}, One + One / 10}.rate()), std::string("2.10000000000000000000"));
        QCOMPARE((ClockLine{{}, {}, -One}.rate()), std::string("0.00000000000000000000"));
        QCOMPARE((ClockLine{{}, {}, std::numeric_limits<std::int64_t>::min()}.rate()), std::string("0.00000000000000000000"));
        const ClockLine fast{{}, {}, std::numeric_limits<std::int64_t>::max()};
        QCOMPARE(composed(fast, fast).gain, std::numeric_limits<std::int64_t>::max());
        QVERIFY(inverse(ClockLine{{}, {}, -One}).gain > 0);
        QVERIFY(inverse(fast).gain > -One);
    }

    void linesKeepAllTheirDigits()
    {
        const ClockLine line{hostTime(Epoch), timestamp(Epoch - 4'412'000'000), -60'435'279'286'127};
        QCOMPARE(line.rate(), std::string("0.99993956472071387300"));
        QCOMPARE(*parseRate(line.rate()), line.gain);
        const ClockLine same{hostTime(0), timestamp(line.offsetAtZero()), *parseRate(line.rate())};
        for (const std::int64_t at : {0, 1'000, 123'456'789})
            QVERIFY(std::abs(nanoseconds(same(hostTime(Epoch + at))) - nanoseconds(line(hostTime(Epoch + at)))) <= 1);
        QCOMPARE(*parseRate("1.00000000000000000049"), 0);
        QCOMPARE(*parseRate("1"), 0);
        QCOMPARE(*parseRate("1.5"), 500'000'000'000'000'000);
        for (const char* wrong : {"", "2.5", "0.1", "-1.0", "1e0", "1.0x", "nan"})
            QVERIFY(!parseRate(wrong));
    }
};

HELIO_TEST(TestClockFit)
#include "tst_clock_fit.moc"
