// Significance (z) of the difference of two sample counts, compared with R's binomial test.

#include "core/compare/significance.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace helio;

namespace {

constexpr double OneToFour = 0.8; ///< Expected fraction of samples in B if A ran once and B four times.

} // namespace

class SignificanceTest : public QObject {
    Q_OBJECT

private slots:
    void fewSamplesHaveTheChanceOfTheExactBinomialTest_data()
    {
        QTest::addColumn<int>("a");
        QTest::addColumn<int>("b");
        QTest::addColumn<double>("share");
        QTest::addColumn<double>("chance"); // Expected p-value from R: binom.test(b, a + b, share)$p.value
        QTest::newRow("0 / 4") << 0 << 4 << OneToFour << 1.0;
        QTest::newRow("0 / 5") << 0 << 5 << OneToFour << 0.5904;
        QTest::newRow("0 / 10") << 0 << 10 << OneToFour << 0.2283;
        QTest::newRow("0 / 15") << 0 << 15 << OneToFour << 0.0532;
        QTest::newRow("3 / 0") << 3 << 0 << OneToFour << 0.008;
        QTest::newRow("5 / 5") << 5 << 5 << 0.5 << 1.0;
        QTest::newRow("1 / 9") << 1 << 9 << 0.5 << 0.0215;
        QTest::newRow("rare") << 2 << 998 << 0.999 << 0.2642; // More than 30 samples in total, but fewer than 5 expected in A.
    }
    void fewSamplesHaveTheChanceOfTheExactBinomialTest()
    {
        QFETCH(int, a);
        QFETCH(int, b);
        QFETCH(double, share);
        QFETCH(double, chance);
        const double z = significance(a, b, share);
        QVERIFY2(std::abs(std::erfc(std::abs(z) / std::sqrt(2.0)) - chance) < 0.0002, qPrintable(QString::number(z)));
        QCOMPARE(z < 0, b < (a + b) * share && chance < 1);
        QCOMPARE(significance(b, a, 1 - share), -z); // Exchanged sides give the opposite sign.
    }

    void manySamplesHaveTheVarianceOfNoChange()
    {
        QCOMPARE(significance(100, 250, 2.0 / 3), (250 - 350 * 2.0 / 3) / std::sqrt(350 * 2.0 / 9));
        QCOMPARE(significance(1000, 1000, 0.5), 0.0);
        QCOMPARE(significance(0, 400, OneToFour), 10.0);
    }

    void bothWaysAgreeWhereTheyMeet()
    {
        for (const int b : {12, 16, 20, 24}) {
            const double exact = significance(29 - b, b, 0.5);
            const double normal = significance(30 - b, b, 0.5);
            QVERIFY2(std::abs(exact - normal) < 0.45, qPrintable(QString("%1 %2").arg(exact).arg(normal)));
        }
    }

    void nothingIsSaidOfNothing()
    {
        QCOMPARE(significance(0, 0, 0.5), 0.0);
        QCOMPARE(significance(7, 0, 0.0), 0.0);
        QCOMPARE(significance(7, 0, 1.0), 0.0);
        QCOMPARE(significance(7, 0, std::nan("")), 0.0);
        QVERIFY(significance(0, 1e18, 0.5) > 1e8);
        QVERIFY(significance(0, 1e18, 1e-300) > 30); // The computation terminates for extreme counts.
        QVERIFY(std::abs(significance(1e18, 3, 3e-18)) < 0.5);
    }
};

HELIO_TEST(SignificanceTest)
#include "tst_significance.moc"
