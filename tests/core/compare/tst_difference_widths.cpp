#include "core/compare/difference_widths.h"
#include "tests/support/made_call_tree.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using Of = DifferenceWidths::Of;

namespace {

const DifferenceScale same{WeightBy::Samples, 1, 1};

/// Input: main calls f (30 samples in A, 60 in B), gone (10, only in A) and came (40, only in B).
DifferenceTree changed(const DifferenceScale& scale = same)
{
    return compareTrees(treeOf({{"main;f", 30}, {"main;gone;deep", 10}}), treeOf({{"main;f", 60}, {"main;came", 40}}), scale);
}

/// Width of a function's frame as a fraction of the root's width.
double shareOf(const CallTree& tree, const std::string& name)
{
    for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
        if (tree.functionOf(node).name == name)
            return double(tree.nodes[node].total.weight) / double(tree.nodes[0].total.weight);
    return -1;
}

bool isNear(double value, double expected) { return std::abs(value - expected) < 1e-9; }

} // namespace

class DifferenceWidthsTest : public QObject {
    Q_OBJECT

private slots:
    void widthsAreThoseOfTheSideAskedFor()
    {
        const DifferenceTree tree = changed();
        const CallTree b = widthTree(tree, {Of::B, false});
        QVERIFY(isNear(shareOf(b, "f"), 0.6));
        QVERIFY(isNear(shareOf(b, "came"), 0.4));
        QCOMPARE(shareOf(b, "gone"), 0.0);
        const CallTree a = widthTree(tree, {Of::A, false});
        QVERIFY(isNear(shareOf(a, "f"), 0.75));
        QVERIFY(isNear(shareOf(a, "gone"), 0.25));
        QCOMPARE(shareOf(a, "came"), 0.0);
    }

    void elidedFramesAreKeptAsWideAsTheyWere()
    {
        const CallTree b = widthTree(changed(), {Of::B, true});
        QVERIFY(isNear(shareOf(b, "f"), 60.0 / 110));
        QVERIFY(isNear(shareOf(b, "gone"), 10.0 / 110));
        QVERIFY(isNear(shareOf(b, "deep"), 10.0 / 110));
        const CallTree a = widthTree(changed(), {Of::A, true});
        QVERIFY(isNear(shareOf(a, "came"), 40.0 / 80));
    }

    void theWidestModeGivesEveryFrameItsLargerSide()
    {
        const CallTree widest = widthTree(changed(), {Of::Widest, false});
        QVERIFY(isNear(shareOf(widest, "f"), 60.0 / 110));
        QVERIFY(isNear(shareOf(widest, "came"), 40.0 / 110));
        QVERIFY(isNear(shareOf(widest, "gone"), 10.0 / 110));
    }

    void noFrameIsWiderThanItsCaller()
    {
        // main has 65 samples in A and 47 in B. Its callee x has more samples in A (50), its callee y has more in B (40). The sum of the
        // callees' larger sides (90) exceeds main's larger side (65).
        const DifferenceTree tree =
            compareTrees(treeOf({{"main;x;p", 50}, {"main;y", 10}, {"main", 5}}), treeOf({{"main;x;q", 7}, {"main;y", 40}}), same);
        for (const Of of : {Of::A, Of::B, Of::Widest})
            for (const bool keeps : {false, true}) {
                const CallTree shape = widthTree(tree, {of, keeps});
                for (const CallNode& node : shape.nodes) {
                    std::uint64_t sum = node.self.weight;
                    for (std::uint32_t child = node.firstChild; child < node.firstChild + node.childCount; ++child)
                        sum += shape.nodes[child].total.weight;
                    QCOMPARE(sum, node.total.weight);
                }
            }
    }

    void scalesChangeWidthsOfBothSidesAlone()
    {
        // B ran four times, so that each of its samples counts a quarter. f then has 15 samples in B and 30 in A: A is the larger side.
        const CallTree widest = widthTree(changed({WeightBy::Samples, 1, 0.25}), {Of::Widest, false});
        QVERIFY(isNear(shareOf(widest, "f"), 30.0 / 50));
        QVERIFY(isNear(shareOf(widest, "came"), 10.0 / 50));
    }

    void onlyWhatTheWidthsSideLacksIsElided()
    {
        const DifferenceTree tree = changed();
        for (std::uint32_t node = 1; node < tree.nodes.size(); ++node) {
            const std::string& name = tree.functionOf(node).name;
            QCOMPARE(isOnHiddenSide(tree.nodes[node], {Of::B, true}), name == "gone" || name == "deep");
            QCOMPARE(isOnHiddenSide(tree.nodes[node], {Of::Widest, true}), name == "gone" || name == "deep");
            QCOMPARE(isOnHiddenSide(tree.nodes[node], {Of::A, true}), name == "came");
        }
    }

    void nothingHasNoWidth()
    {
        const CallTree shape = widthTree(compareTrees(treeOf({}), treeOf({}), same), {});
        QCOMPARE(shape.nodes.size(), std::size_t(1));
        QCOMPARE(shape.whole.weight, 0u);
    }
};

HELIO_TEST(DifferenceWidthsTest)
#include "tst_difference_widths.moc"
