#include "core/compare/difference_basis.h"
#include "core/compare/significance.h"
#include "core/compare/tree_difference.h"
#include "tests/support/made_call_tree.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace helio;

namespace {

std::uint32_t find(const DifferenceTree& tree, const std::vector<std::string>& path)
{
    std::uint32_t node = 0;
    for (const std::string& name : path) {
        const DifferenceNode& at = tree.nodes[node];
        node = 0;
        for (std::uint32_t child = at.firstChild; child < at.firstChild + at.childCount; ++child)
            if (tree.functionOf(child).name == name)
                node = child;
        if (node == 0)
            return 0;
    }
    return node;
}

std::string folded(const DifferenceTree& tree)
{
    std::string text;
    writeDifferentialFolded(tree, [&](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

} // namespace

class TreeDifferenceTest : public QObject {
    Q_OBJECT

private slots:
    void nodesOfOnePathAreOneAndOthersStay()
    {
        const DifferenceTree tree = compareTrees(treeOf({{"main;init", 30}, {"main;gone", 5}}),
                                                 treeOf({{"main;init", 60}, {"main;came", 7}}), {WeightBy::Samples, 1, 1});
        QCOMPARE(tree.nodes.size(), std::size_t(5));
        const DifferenceNode& init = tree.nodes[find(tree, {"main", "init"})];
        QCOMPARE(init.total.a.samples, 30u);
        QCOMPARE(init.total.b.samples, 60u);
        QCOMPARE(tree.nodes[find(tree, {"main", "gone"})].total.b.samples, 0u);
        QCOMPARE(tree.nodes[find(tree, {"main", "gone"})].total.a.samples, 5u);
        QCOMPARE(tree.nodes[find(tree, {"main", "came"})].total.b.samples, 7u);
        QCOMPARE(tree.whole.a.samples, 35u);
        QCOMPARE(tree.whole.b.samples, 67u);
    }

    void overloadsCompareWithTheirOwn()
    {
        const auto tree = [](const std::vector<std::string>& linkageNames) {
            std::vector<std::pair<std::string, std::uint32_t>> lines;
            for (std::size_t i = 0; i < linkageNames.size(); ++i)
                lines.emplace_back(linkageNames[i], i + 1);
            CallTree made = treeOf(lines);
            for (SampledFunction& function : made.functions) {
                function.linkageName = function.name;
                if (!function.name.empty())
                    function.name = "add";
            }
            return made;
        };
        const auto rows = [&](const std::vector<std::string>& a, const std::vector<std::string>& b) {
            const DifferenceTree both = compareTrees(tree(a), tree(b), {WeightBy::Samples, 1, 1});
            std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> found;
            for (std::uint32_t node = 1; node < both.nodes.size(); ++node)
                found[both.functionOf(node).label()] = {both.nodes[node].total.a.samples, both.nodes[node].total.b.samples};
            return found;
        };
        using Rows = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>;
        QCOMPARE(rows({"_Z3addi", "_Z3addd"}, {"_Z3addd", "_Z3addi"}), (Rows{{"add(int)", {1, 2}}, {"add(double)", {2, 1}}}));
        // Functions with a unique name match even if their parameters differ.
        QCOMPARE(rows({"_Z3addi"}, {"_Z3addl"}), (Rows{{"add", {1, 1}}}));
        QCOMPARE(rows({"_Z3addi", "_Z3addd"}, {"_Z3addi", "_Z3addl"}), (Rows{{"add(int)", {1, 1}}, {"add(double)", {2, 2}}}));
        QCOMPARE(rows({"_Z3addi"}, {"_Z3addl", "_Z3addd"}), (Rows{{"add(int)", {1, 0}}, {"add(long)", {0, 1}}, {"add(double)", {0, 2}}}));
    }

    void overloadsAreOneWhereTheOtherSideHasNoLinkageNames()
    {
        StackNames with, without;
        with.functions.emplace_back().linkageName = "_Z3addi";
        without.functions.emplace_back().name = "add";
        CallTreeOptions options;
        setMergeOptions(options, {}, with, {}, without);
        QVERIFY(options.mergesNamesakes && !options.mergesModules);
        setMergeOptions(options, {}, with, {}, with);
        QVERIFY(!options.mergesNamesakes);

        CallTree b = treeOf({{"add", 3}});
        for (SampledFunction& function : b.functions)
            function.linkageName = function.name.empty() ? "" : "_Z3addi";
        const DifferenceTree both = compareTrees(treeOf({{"add", 5}}), b, {WeightBy::Samples, 1, 1});
        QCOMPARE(both.nodes.size(), std::size_t(2));
        QCOMPARE(both.nodes[1].total.a.samples, 5u);
        QCOMPARE(both.nodes[1].total.b.samples, 3u);
    }

    void childrenAreOrderedByTheWidestOfBoth()
    {
        const DifferenceTree tree =
            compareTrees(treeOf({{"small", 1}, {"left", 50}}), treeOf({{"small", 20}, {"right", 30}}), {WeightBy::Samples, 1, 1});
        std::vector<std::string> order;
        for (std::uint32_t i = 1; i < tree.nodes.size(); ++i)
            order.push_back(tree.functionOf(i).name);
        QCOMPARE(order, (std::vector<std::string>{"left", "right", "small"}));
    }

    /// Input: fractional counts (in thousandths) on one side, whole counts on the other. Property: counts are compared in whole samples.
    void countsWithDecimalsAreComparedAsTheyAre()
    {
        const SampleKind thousandths{"samples", "1/1000", SampleKind::Origin::Counted};
        const SampleKind whole{"samples", "", SampleKind::Origin::Counted};
        const CallTree a = treeOf({{"main;f", 2500}, {"main;g", 156}}, 1);
        const CallTree b = treeOf({{"main;f", 4}}, 1);

        const DifferenceTree tree = compareTrees(a, b, DifferenceBasis{}.scale({thousandths, a.whole, 1}, {whole, b.whole, 1}));

        QCOMPARE(folded(tree), "main;f 2.5 4\nmain;g 0.156 0\n");
        const ComparedSum& f = tree.nodes[find(tree, {"main", "f"})].self;
        QCOMPARE(f.difference(tree.scale), 1.5);
        // The difference is noise, because 2.5 samples are compared with 4. Unscaled, 2500 would be compared with 4, which would not be
        // noise.
        QVERIFY(std::abs(f.z(tree.scale)) < NoiseZ);
    }

    void aScaleMakesRunsComparable()
    {
        const DifferenceTree tree = compareTrees(treeOf({{"main", 100}}), treeOf({{"main", 404}}), {WeightBy::Weight, 1, 0.25});
        const ComparedSum& main = tree.nodes[1].total;
        QCOMPARE(main.scaledA(tree.scale), 1000.0);
        QCOMPARE(main.scaledB(tree.scale), 1010.0);
        QCOMPARE(main.difference(tree.scale), 10.0);
        // The difference is noise: A's 1000 samples are scaled to 400 samples in B, and 404 samples are not significantly more than 400.
        QVERIFY(std::abs(main.z(tree.scale)) < 2);
    }

    void zIsThatOfTwoPoissonCounts()
    {
        const DifferenceScale same{WeightBy::Samples, 1, 1};
        QCOMPARE((ComparedSum{{100, 100}, {100, 100}}.z(same)), 0.0);
        QCOMPARE((ComparedSum{{0, 0}, {36, 36}}.z(same)), 6.0);
        QCOMPARE((ComparedSum{{36, 36}, {0, 0}}.z(same)), -6.0);
        QCOMPARE((ComparedSum{{100, 0}, {250, 0}}.z({WeightBy::Samples, 2, 1})), significance(100, 250, 2.0 / 3));
        QCOMPARE((ComparedSum{}.z(same)), 0.0);
    }

    void samplesWithoutWeightsAreCertainByTheirNumberAlone()
    {
        const DifferenceScale weights{WeightBy::Weight, 1, 1};
        QCOMPARE((ComparedSum{{16, 0}, {16, 160}}.z(weights)), 0.0);
        QCOMPARE((ComparedSum{{16, 160}, {16, 0}}.z(weights)), 0.0);
        QCOMPARE((ComparedSum{{16, 0}, {0, 0}}.z(weights)), significance(16, 0, 0.5));
        QCOMPARE((ComparedSum{{16, 16}, {0, 0}}.z({WeightBy::Weight, 0, 1})), 0.0);
    }

    void aSideWithoutSamplesIsAskedWhatOneOfItsWouldHaveWeighed()
    {
        // A has a sample each 1 ms, B each 10 ms. In "y", B has three samples and A has none; A would have about 30 samples for the same
        // time.
        const DifferenceTree tree =
            compareTrees(treeOf({{"main;x", 1000}}, 1), treeOf({{"main;x", 97}, {"main;y", 3}}, 10), {WeightBy::Weight, 1, 1});
        QCOMPARE(tree.scale.usualWeightB / tree.scale.usualWeightA, 10.0);
        QVERIFY(tree.nodes[find(tree, {"main", "y"})].total.z(tree.scale) > 3);
        const DifferenceTree back =
            compareTrees(treeOf({{"main;x", 97}, {"main;y", 3}}, 10), treeOf({{"main;x", 1000}}, 1), {WeightBy::Weight, 1, 1});
        QVERIFY(back.nodes[find(back, {"main", "y"})].total.z(back.scale) < -3);
    }

    void fewHeavySamplesAreNotMadeCertainByManyLightOnes()
    {
        // In each sum, 1000 samples have weight 1, and 3 (in a) or 5 (in b) samples have weight 1,000,000. The light samples must not make
        // the difference of 3 and 5 heavy samples look significant.
        const SampleSum a{1003, 3'001'000, 3e12 + 1000};
        const SampleSum b{1005, 5'001'000, 5e12 + 1000};
        QVERIFY(std::abs(ComparedSum{a, b}.z({WeightBy::Weight, 1, 1})) < 1);
        const SampleSum many{1005, 5'001'000}; // SampleSum::squares is 0, so all samples have equal weights and all of them count.
        QVERIFY(std::abs(ComparedSum{{1003, 3'001'000}, many}.z({WeightBy::Weight, 1, 1})) > 8);
    }

    void sharesAreOfEachSidesWhole()
    {
        const CallTree a = treeOf({{"x", 1}, {"y", 3}});
        const CallTree b = treeOf({{"x", 10}, {"y", 10}});
        const DifferenceTree tree = compareTrees(a, b, DifferenceScale::shares(a.whole, b.whole, WeightBy::Samples));
        QCOMPARE(tree.nodes[find(tree, {"x"})].total.difference(tree.scale), 0.25);
        QCOMPARE(tree.nodes[find(tree, {"y"})].total.difference(tree.scale), -0.25);
    }

    void aRecursiveFunctionsTotalCountsAStackOnce()
    {
        const DifferenceTree tree = compareTrees(treeOf({{"f;f;g;f", 3}}), treeOf({{"f;g", 4}}), {WeightBy::Samples, 1, 1});
        for (const FunctionDifference& it : computeFunctionDifferences(tree)) {
            const bool isF = tree.functions[std::size_t(it.function)].name == "f";
            QCOMPARE(it.total.a.samples, 3u);
            QCOMPARE(it.total.b.samples, 4u);
            QCOMPARE(it.self.a.samples, isF ? 3u : 0u);
            QCOMPARE(it.self.b.samples, isF ? 0u : 4u);
        }
    }

    void foldedHasBothColumnsSorted()
    {
        const DifferenceTree tree =
            compareTrees(treeOf({{"main;b", 2}, {"main;a", 1}, {"main", 4}}), treeOf({{"main;a", 5}}), {WeightBy::Samples, 1, 1});
        QCOMPARE(folded(tree), "main 4 0\nmain;a 1 5\nmain;b 2 0\n");
    }

    void aSideWithoutSamplesLeavesTheOther()
    {
        const DifferenceTree tree = compareTrees(treeOf({}), treeOf({{"main", 5}}), {WeightBy::Samples, 1, 1});
        QCOMPARE(folded(tree), "main 0 5\n");
    }
};

HELIO_TEST(TreeDifferenceTest)
#include "tst_tree_difference.moc"
