// Digests of durations: percentiles are within the stated error of the exact ones, merged digests are digests of all durations, and wrong
// texts are rejected.

#include "core/fleet/duration_digest.h"
#include "core/query/rows/duration_distribution.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <random>
#include <vector>

using namespace helio;
using fleet::DurationDigest;

namespace {

DurationDigest digestOf(const std::vector<std::int64_t>& lengths)
{
    DurationDigest digest;
    for (const std::int64_t length : lengths)
        digest.add(Duration(length));
    return digest;
}

/// Durations whose logarithms are uniform, up to `most` ns.
std::vector<std::int64_t> someDurations(std::size_t count, double most, unsigned seed)
{
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> exponent(0, std::log2(most));
    std::vector<std::int64_t> lengths;
    for (std::size_t i = 0; i < count; ++i)
        lengths.push_back(static_cast<std::int64_t>(std::exp2(exponent(random))));
    return lengths;
}

} // namespace

class DurationDigestTest : public QObject {
    Q_OBJECT

private slots:
    void percentilesAreWithinTheStatedError_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("most");
        test::addRow("one", 1, 1e6);
        test::addRow("short", 1'000, 15.0);
        test::addRow("few", 7, 1e9);
        test::addRow("many", 100'000, 1e10);
        test::addRow("years", 1'000, 9e18);
    }
    void percentilesAreWithinTheStatedError()
    {
        QFETCH(int, count);
        QFETCH(double, most);
        for (unsigned seed = 0; seed < 5; ++seed) {
            std::vector<std::int64_t> lengths = someDurations(static_cast<std::size_t>(count), most, seed);
            const DurationDigest digest = digestOf(lengths);
            for (std::size_t percent = 1; percent <= 100; ++percent) {
                const std::int64_t exact = nearestRank(lengths, percent).count();
                const auto found = digest.percentile(double(percent));
                QVERIFY(found.has_value());
                QVERIFY(found->lowest.count() <= exact && exact <= found->highest.count());
                QVERIFY(std::abs(found->estimate.count() - exact) <= DurationDigest::RelativeError * double(exact));
            }
            QCOMPARE(digest.percentile(0)->lowest, digest.least());
            QCOMPARE(digest.percentile(100)->highest, digest.most());
        }
    }

    void fractionsOfAPercentAreRanks()
    {
        std::vector<std::int64_t> lengths;
        for (std::int64_t i = 1; i <= 1000; ++i)
            lengths.push_back(i <= 999 ? 1 : 1'000'000);
        const DurationDigest digest = digestOf(lengths);
        QCOMPARE(digest.percentile(99.9)->estimate, Duration(1)); // The 999th of 1,000.
        QCOMPARE(digest.percentile(99.95)->highest, Duration(1'000'000));
        QVERIFY(!DurationDigest().percentile(50));
        QVERIFY(!digest.percentile(std::nan("")));
    }

    void mergedDigestsAreDigestsOfAll()
    {
        const auto a = someDurations(1'000, 1e9, 1), b = someDurations(10, 1e3, 2);
        std::vector<std::int64_t> all = a;
        all.insert(all.end(), b.begin(), b.end());
        DurationDigest merged = digestOf(a);
        merged.add(digestOf(b));
        QVERIFY(merged == digestOf(all));
        merged.add(DurationDigest());
        QVERIFY(merged == digestOf(all));
        DurationDigest fromEmpty;
        fromEmpty.add(merged);
        QVERIFY(fromEmpty == merged);
    }

    void textsContainTheWholeDigest()
    {
        for (const auto& lengths :
             {std::vector<std::int64_t>{}, {0}, {-5}, {INT64_MAX}, {INT64_MAX, INT64_MAX}, someDurations(500, 1e9, 3)}) {
            const DurationDigest digest = digestOf(lengths);
            DurationDigest read;
            QVERIFY(bool(read.addText(digest.text())));
            QVERIFY(read == digest);
        }
        QCOMPARE(digestOf({100, 5, 100}).text(), std::string("205 5 100 5:1 36:2"));
        QCOMPARE(digestOf({5, 6, 6, 9}).text(), std::string("26 5 9 5:1 2 9:1"));
    }

    void wrongTextsAreRejected()
    {
        for (const char* text : {"", "x", "1 2", "205 5 100", "205 5 100 5:1 36", "205 5 100 5:1 36:0", "205 5 100 36:2 5:1",
                                 "205 5 100 5:1 5:1", "205 5 100 5:1 488:1", "205 6 100 5:1 36:2", "205 5 900 5:1 36:2",
                                 "205 5 100 5:1 36:2 ", "205 5 100 5:-1 36:2", "-1 5 100 5:1 36:2", "6 5 6 5 1", "11 5 6 1 5:1 1",
                                 "99999999999999999999 5 100 5:1 36:2", "205 5 100 5:1 36:99999999999999999999", "1 0 0"})
            QVERIFY2(!DurationDigest().addText(text), text);
    }

    void countsSaturate()
    {
        DurationDigest digest;
        for (int i = 0; i < 3; ++i)
            QVERIFY(bool(digest.addText("9223372036854775807 5 5 5:18446744073709551615")));
        QCOMPARE(digest.count(), UINT64_MAX);
        QCOMPARE(digest.total(), Duration::max());
        QCOMPARE(digest.percentile(99)->estimate, Duration(5));
    }
};

HELIO_TEST(DurationDigestTest)
#include "tst_duration_digest.moc"
