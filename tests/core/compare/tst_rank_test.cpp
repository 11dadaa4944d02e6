// Rank test for longer durations on one side. Property: results equal those of a comparison of every pair.

#include "core/compare/significance.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace helio;

namespace {

DurationDistribution bucketed(const std::vector<std::size_t>& buckets)
{
    DurationDistribution spread;
    for (const std::size_t it : buckets) {
        if (spread.byLength.size() <= it)
            spread.byLength.resize(it + 1);
        ++spread.byLength[it];
        ++spread.count;
    }
    return spread;
}

} // namespace

class RankTestTest : public QObject {
    Q_OBJECT

private slots:
    void theShareIsThatOfAllPairs()
    {
        Dice dice(3);
        std::vector<std::size_t> a, b;
        for (int i = 0; i < 60; ++i)
            a.push_back(100 + dice.below(30));
        for (int i = 0; i < 45; ++i)
            b.push_back(105 + dice.below(30));
        double longer = 0;
        for (const std::size_t inA : a)
            for (const std::size_t inB : b)
                longer += inB > inA ? 1 : inB == inA ? 0.5 : 0;
        const RankTest test = rankTest(bucketed(a), bucketed(b));
        QVERIFY(std::abs(test.share - longer / (60 * 45)) < 1e-12);
        QCOMPARE(test.a, std::uint64_t(60));
        QCOMPARE(test.b, std::uint64_t(45));
        QVERIFY(test.z > 2 && test.chance < 0.05);
        const RankTest other = rankTest(bucketed(b), bucketed(a));
        QVERIFY(std::abs(other.z + test.z) < 1e-9 && std::abs(other.chance - test.chance) < 1e-12);
    }

    /// Expected value, counted by hand: in 51 of the 64 pairs of a value from each series, the value of the second series is larger. Equal
    /// values count half. Three values occur more than once.
    void itIsTheKnownTest()
    {
        const RankTest test = rankTest(bucketed({1, 2, 3, 4, 5, 5, 7, 9}), bucketed({2, 5, 6, 8, 9, 10, 11, 12}));
        QVERIFY2(std::abs(test.share - 51.0 / 64) < 1e-12, QByteArray::number(test.share * 64));
        const double ties = (2 * 2 * 2 - 2) + (3 * 3 * 3 - 3) + (2 * 2 * 2 - 2);
        QVERIFY(std::abs(test.z - 19 / std::sqrt(64 / 12.0 * (17 - ties / (16 * 15)))) < 1e-12);
    }

    /// Property: at a significance level of 5 %, about 5 % of 2,000 pairs of series from one distribution are reported as different.
    void likeOnesAreNotCalledDifferent()
    {
        Dice dice(5);
        int different = 0;
        for (int i = 0; i < 2000; ++i) {
            std::vector<std::size_t> a(30), b(40);
            for (auto* side : {&a, &b})
                std::ranges::generate(*side, [&] { return 50 + dice.below(100); });
            different += rankTest(bucketed(a), bucketed(b)).chance < 0.05;
        }
        QVERIFY2(different > 60 && different < 140, QByteArray::number(different));
    }

    void littleIsNoEvidence()
    {
        QCOMPARE(rankTest({}, {}).chance, 1.0);
        QCOMPARE(rankTest(bucketed({5}), {}).share, 0.5);
        QCOMPARE(rankTest(bucketed(std::vector<std::size_t>(20, 7)), bucketed(std::vector<std::size_t>(20, 7))).z, 0.0);
        QVERIFY(rankTestText(rankTest(bucketed({1, 2, 3}), bucketed({4, 5, 6}))).empty());
    }

    void inWords()
    {
        const RankTest test = rankTest(bucketed(std::vector<std::size_t>(10, 7)), bucketed(std::vector<std::size_t>(10, 9)));
        QVERIFY2(
            rankTestText(test).starts_with("A duration in B exceeds one in A in 100 % of all pairs, where durations within a fifth of each "
                                           "other count half (Mann-Whitney rank test: z = 4.4, n = 10 and 10; expected by chance in 1 of "),
            rankTestText(test).c_str());
    }
};

HELIO_TEST(RankTestTest)
#include "tst_rank_test.moc"
