// Periodicity of the durations, beginnings and ends of intervals, and of the gaps between intervals; for all intervals, or only for the
// longest ones.

#include "core/latency/periods/periodicity.h"
#include "core/query/rows/duration_distribution.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace helio;

namespace {

constexpr std::int64_t Start = 1'000'000'000'000;

TimeRange piece(std::int64_t begin, std::int64_t length) { return {timestamp(Start + begin), timestamp(Start + begin + length)}; }

std::vector<Periodicity> periodsOf(std::vector<TimeRange> pieces)
{
    std::ranges::sort(pieces, {}, &TimeRange::begin);
    PeriodicityDetector periods;
    for (const TimeRange& it : pieces)
        periods.add(it);
    return periods.find();
}

/// Makes random intervals of up to 100 us; their beginnings are a Poisson process.
std::vector<TimeRange> shortOnes(int count, std::int64_t until, Dice& dice)
{
    std::vector<TimeRange> all;
    for (int i = 0; i < count; ++i)
        all.push_back(piece(std::int64_t(dice.below(quint64(until))), std::int64_t(dice.below(100'000))));
    return all;
}

/// Found periods as text, for messages of failed checks.
QByteArray listed(const std::vector<Periodicity>& found)
{
    QByteArray text;
    for (const Periodicity& it : found)
        text += describePeriod(it, [](Timestamp at) { return std::to_string(nanoseconds(at)); }) + '\n';
    return text;
}

bool isAbout(const Periodicity& it, double ns) { return std::abs(it.found.period / ns - 1) < 0.001; }

} // namespace

class PiecePeriodsTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: few long intervals that end periodically, among many short ones; beginnings are random. Property: the period of the ends is
    /// found.
    void longOnesThatEndRegularlyAreFound()
    {
        Dice dice(1);
        auto pieces = shortOnes(3000, 10'000'000'000, dice);
        for (std::int64_t i = 1; i <= 40; ++i)
            for (int j = 0; j < 5; ++j) {
                const auto length = std::int64_t(100'000'000 + dice.below(120'000'000));
                pieces.push_back(piece(i * 249'960'000 - length + std::int64_t(dice.below(2'000'000)), length));
            }
        const auto found = periodsOf(pieces);
        QVERIFY(!found.empty());
        QVERIFY2(isAbout(found[0], 249.96e6), listed(found));
        QCOMPARE(found[0].of, PeriodicProperty::Ends);
        QVERIFY(found[0].from > Duration{});
        QVERIFY(found[0].found.strength > 0.9);
        const auto timeText = [](Timestamp at) { return std::to_string(nanoseconds(at)); };
        const std::string words = describePeriod(found[0], timeText);
        QVERIFY2(words.find("% of the ") != std::string::npos && words.find(" end within 24.9") != std::string::npos
                     && words.find(" of " + std::to_string(found[0].phase()) + " + n × 24") != std::string::npos,
                 words.c_str());
    }

    /// Property: the share in the text equals a count of the intervals at the period.
    void shareEqualsTheCountAtThePeriod()
    {
        Dice dice(2);
        auto pieces = shortOnes(500, 4'000'000'000, dice);
        for (std::int64_t i = 0; i < 400; ++i)
            pieces.push_back(piece(i * 10'000'000 + std::int64_t(dice.below(300'000)), 20'000));
        const auto found = periodsOf(pieces);
        QVERIFY(!found.empty());
        QVERIFY2(isAbout(found[0], 1e7), listed(found));
        QVERIFY(found[0].from == Duration{});
        QVERIFY(describePeriod(found[0], [](Timestamp) { return std::string("then"); }).find(" of all 900 ") != std::string::npos);
        const auto count = std::ranges::count_if(pieces, [&](TimeRange it) { return found[0].has(it); });
        QVERIFY(std::abs(double(count) - found[0].found.share * double(found[0].found.count)) < 2);
    }

    void gapsThatEndRegularlyAreFound()
    {
        Dice dice(3);
        std::vector<TimeRange> pieces;
        for (std::int64_t i = 0; i < 60; ++i) // In the first half of each 100 ms, intervals follow each other closely.
            for (std::int64_t at = 0; at < 50'000'000;) {
                const auto length = std::int64_t(100'000 + dice.below(2'000'000));
                pieces.push_back(piece(i * 100'000'000 + at, length));
                at += length + std::int64_t(dice.below(400'000));
            }
        PeriodicityDetector periods;
        for (const TimeRange& it : pieces)
            periods.add(it);
        const auto found = periods.find();
        QVERIFY(!found.empty());
        QVERIFY2(isAbout(found[0], 1e8), listed(found));
    }

    void lengthsAtMultiplesAreFound()
    {
        Dice dice(4);
        std::vector<TimeRange> pieces;
        for (int i = 0; i < 2000; ++i) {
            std::int64_t times = 1;
            while (dice.below(10) < 7)
                ++times;
            pieces.push_back(piece(std::int64_t(dice.below(60'000'000'000)), times * 4'000'000 + std::int64_t(dice.below(200'000))));
        }
        const auto found = periodsOf(pieces);
        QVERIFY(!found.empty());
        QCOMPARE(found[0].of, PeriodicProperty::Lengths);
        QVERIFY(isAbout(found[0], 4e6));
        QVERIFY(found[0].phase() >= 0 && found[0].phase() < 4'000'000);
    }

    void irregularOnesHaveNone()
    {
        Dice dice(5);
        for (int i = 0; i < 20; ++i)
            QVERIFY(periodsOf(shortOnes(300, 1'000'000'000, dice)).empty());
        QVERIFY(PeriodicityDetector().find().empty());
    }

    /// Input: 400,000 intervals. Property: a random part of them is searched, with the same result.
    void ofVeryManyASampleIsKept()
    {
        Dice dice(6);
        PeriodicityDetector periods;
        for (int i = 0; i < 400'000; ++i) // 800 intervals in each 10 ms.
            periods.add(piece(std::int64_t(i / 800) * 10'000'000 + (i % 800) * 1000, 500 + std::int64_t(dice.below(100))));
        const auto found = periods.find();
        QVERIFY(!found.empty());
        QVERIFY(std::ranges::any_of(found, [](const Periodicity& it) { return isAbout(it, 1e7); }));
        QVERIFY(std::ranges::all_of(found, [](const Periodicity& it) { return it.found.count <= (1 << 18); }));
        // The text says how many of the 400,000 intervals were searched.
        const auto ofAll = std::ranges::find(found, Duration(), &Periodicity::from);
        QVERIFY(ofAll != found.end());
        QCOMPARE(ofAll->all, std::uint64_t(400'000));
        const std::string words = describePeriod(*ofAll, [](Timestamp) { return std::string("then"); });
        QVERIFY2(words.find(" of " + std::to_string(ofAll->found.count) + " of all 400000 ") != std::string::npos, words.c_str());
    }

    void lengthsAreSaidInFiveDigits()
    {
        QCOMPARE(roundedDurationText(249.9641e6), std::string("249.96 ms"));
        QCOMPARE(roundedDurationText(4e6), std::string("4 ms"));
        QCOMPARE(roundedDurationText(999'999.9), std::string("1 ms"));
        QCOMPARE(roundedDurationText(0), std::string("0 ns"));
        QCOMPARE(roundedDurationText(3.6e12), std::string("3600 s"));
    }
};

HELIO_TEST(PiecePeriodsTest)
#include "tst_piece_periods.moc"
