#include "core/compare/difference_steps.h"
#include "tests/support/made_call_tree.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using Kind = DifferenceUnit::Kind;

namespace {

/// Weight of a sample: 1 ms in ns.
constexpr std::uint64_t Ms = 1'000'000;
const DifferenceScale perRun{WeightBy::Weight, 1, 1};
const DifferenceUnit inTime{Kind::Time, {}};

ComparedSum sumOf(std::uint64_t a, std::uint64_t b) { return {{a, a * Ms}, {b, b * Ms}}; }

} // namespace

class DifferenceStepsTest : public QObject {
    Q_OBJECT

private slots:
    void stepsAreRoundAndBelowTheLargest()
    {
        QCOMPARE(DifferenceSteps::upTo(6.29e9).from, (std::array<double, 3>{0.2e9, 1e9, 4e9}));
        QCOMPARE(DifferenceSteps::upTo(2e9).from, (std::array<double, 3>{0.1e9, 0.5e9, 2e9}));
        QCOMPARE(DifferenceSteps::upTo(0).from[2], 1.0);
    }

    void aChangeTakesTheStepItReaches()
    {
        const DifferenceSteps steps = DifferenceSteps::upTo(4e9);
        QCOMPARE(steps.stepOf(sumOf(0, 4000), perRun), 4);
        QCOMPARE(steps.stepOf(sumOf(0, 3999), perRun), 3);
        QCOMPARE(steps.stepOf(sumOf(0, 1000), perRun), 3);
        QCOMPARE(steps.stepOf(sumOf(0, 999), perRun), 2);
        QCOMPARE(steps.stepOf(sumOf(0, 200), perRun), 2);
        QCOMPARE(steps.stepOf(sumOf(0, 199), perRun), 1);
        QCOMPARE(steps.stepOf(sumOf(4000, 0), perRun), -4);
        QCOMPARE(steps.stepOf(sumOf(100, 0), perRun), -1);
    }

    void whatMayBeChanceIsTheSame()
    {
        // The steps are scaled to a largest difference of 1e6 ns (1 ms), so the small differences below reach the last step unless they are
        // noise.
        const DifferenceSteps steps = DifferenceSteps::upTo(1e6);
        QCOMPARE(steps.stepOf(sumOf(1000, 1080), perRun), 0); // z = 1.75: noise
        QCOMPARE(steps.stepOf(sumOf(1000, 1100), perRun), 4); // z = 2.18: significant
        QCOMPARE(steps.stepOf(sumOf(0, 3), perRun), 0); // z = 1.73: noise
        QCOMPARE(steps.stepOf(sumOf(0, 0), perRun), 0);
    }

    void ratiosHaveStepsOfTheirOwn()
    {
        const DifferenceSteps steps = DifferenceSteps::ratios();
        QCOMPARE(steps.stepOf(sumOf(1000, 1400), perRun), 1);
        QCOMPARE(steps.stepOf(sumOf(1000, 1600), perRun), 2);
        QCOMPARE(steps.stepOf(sumOf(3500, 1000), perRun), -3);
        QCOMPARE(steps.stepOf(sumOf(0, 1000), perRun), 4);
        QCOMPARE(steps.stepOf(sumOf(1000, 0), perRun), -4);
        QCOMPARE(steps.nameOf(3, inTime), "\u00d73");
        QCOMPARE(steps.nameOf(-2, inTime), "\u00d70.67");
    }

    void theLegendNamesStepsInTheUnitOfTheLargest()
    {
        const DifferenceSteps seconds = DifferenceSteps::upTo(4e9);
        QCOMPARE(seconds.nameOf(4, inTime), "+4\u00a0s");
        QCOMPARE(seconds.nameOf(3, inTime), "+1\u00a0s");
        QCOMPARE(seconds.nameOf(2, inTime), "+0.2");
        QCOMPARE(seconds.nameOf(-4, inTime), "\u22124\u00a0s");
        QCOMPARE(seconds.nameOf(0, inTime), "same");
        QCOMPARE(seconds.wordsOf(1, inTime), "B has more: up to +0.2\u00a0s");
        QCOMPARE(DifferenceSteps::upTo(40e6).nameOf(-3, inTime), "\u221210\u00a0ms");
        QCOMPARE(DifferenceSteps::upTo(0.04).nameOf(3, {Kind::Share, {}}), "+1\u00a0pt");
        QCOMPARE(DifferenceSteps::upTo(4e6).nameOf(3, {Kind::Count, "cycles"}), "+1M");
        QCOMPARE(DifferenceSteps::upTo(1000).nameOf(3, {Kind::Count, "samples"}), "+250");
    }

    void theLargestDifferenceIsOneBeyondNoise()
    {
        const DifferenceTree tree =
            compareTrees(treeOf({{"main;a", 1000}, {"main;b", 10}}, Ms), treeOf({{"main;a", 1050}, {"main;b", 50}}, Ms), perRun);
        // Function "a" differs by 50 ms, but with z = 1.1 this is noise. The difference of "b", 40 ms, is the largest that counts.
        QCOMPARE(findLargestDifference(tree, false), 40e6);
    }

    void amountsShareAUnitBesideALargerOne()
    {
        QCOMPARE(amountText(16e6, inTime, 7.7e9), "16\u00a0ms");
        QCOMPARE(amountText(7.7e9, inTime, 7.7e9), "7700\u00a0ms");
        QCOMPARE(amountText(17.7e9, inTime, 17.7e9), "17\u2009700\u00a0ms");
        QCOMPARE(amountText(16.88e9, inTime), "16.9\u00a0s");
        QCOMPARE(amountText(0, inTime), "0\u00a0s");
        QCOMPARE(amountText(0.1234, {Kind::Share, {}}), "12.34\u00a0%");
        QCOMPARE(amountText(12.5, {Kind::Count, "samples"}), "12.5\u00a0samples");
        QCOMPARE(differenceText(-1.5e6, inTime), "\u22121.50\u00a0ms");
        QCOMPARE(differenceText(0.012, {Kind::Share, {}}), "+1.20\u00a0points");
        // A difference that is rounded to 0 has no sign: the text is not "-0 ms".
        QCOMPARE(differenceText(-0.2e6, inTime, 7.7e9), "0\u00a0ms");
    }

    void ratiosSayWhatCameAndWent()
    {
        QCOMPARE(ratioText(1, 18.2), "\u00d718.2");
        // The text uses a multiplication sign ("×0.50"), because a division sign would look like a plus.
        QCOMPARE(ratioText(2, 1), "\u00d70.50");
        QCOMPARE(ratioText(20, 1), "\u00d70.050");
        QCOMPARE(ratioText(100, 1), "\u00d70.010");
        QCOMPARE(ratioText(101, 1), "\u00d7<0.01");
        QCOMPARE(ratioText(500, 1), "\u00d7<0.01");
        QCOMPARE(ratioText(1, 4621), "new");
        QCOMPARE(ratioText(4621, 1), "gone");
        QCOMPARE(ratioText(0, 1), "new");
        QCOMPARE(ratioText(1, 0), "gone");
        QCOMPARE(ratioText(0, 0), "");
        QCOMPARE(ratioText(1000, 999), "\u00d71.00");
        QCOMPARE(ratioText(1000, 1001), "\u00d71.00");
        QCOMPARE(ratioText(1.0051, 1), "\u00d70.99");
        QCOMPARE(ratioText(1.0049, 1), "\u00d71.00");
        QCOMPARE(certaintyText(1.9), "within noise");
        QCOMPARE(certaintyText(-5), "significant decrease (z = \u22125.0)");
    }
};

HELIO_TEST(DifferenceStepsTest)
#include "tst_difference_steps.moc"
