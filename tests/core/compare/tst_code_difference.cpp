// The function with the largest part of the difference of two sides. Input: synthetic call trees.

#include "core/compare/code_difference.h"
#include "tests/support/made_call_tree.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

using Lines = std::vector<std::pair<std::string, std::uint32_t>>;

std::optional<CodeDifference> found(const Lines& a, const Lines& b)
{
    const DifferenceTree tree = compareTrees(treeOf(a), treeOf(b), {WeightBy::Weight, 1, 1});
    return findCodeDifference(tree, computeFunctionDifferences(tree));
}

} // namespace

class CodeDifferenceTest : public QObject {
    Q_OBJECT

private slots:
    void theInnermostFunctionWithNearlyAllOfItIsNamedAndWhereItsTimeIs()
    {
        const auto code =
            found({{"main;work;fold<int>(int);find", 100}, {"main;work;fold<int>(int);find;memcmp", 10}, {"main;work;sort", 300}},
                  {{"main;work;fold<int>(int);find", 160}, {"main;work;fold<int>(int);find;memcmp", 400}, {"main;work;sort", 310}});
        QVERIFY(code);
        QCOMPARE(code->function, "find");
        QCOMPARE(code->total, 4500.);
        QCOMPARE(code->leaf, "memcmp");
        QCOMPARE(code->own, 3900.);
        QVERIFY(!code->isOwn);
    }

    void onlyWhatTheFunctionCalledIsPartOfIt()
    {
        const auto code = found({{"main;parse;copy", 100}, {"main;read", 100}}, {{"main;parse;copy", 500}, {"main;read", 400}});
        QVERIFY(code);
        QCOMPARE(code->function, "main");
        QCOMPARE(code->leaf, "copy");
        const auto half = found({{"a;copy", 10}, {"a", 10}, {"b;send", 10}}, {{"a;copy", 70}, {"a", 170}, {"b;send", 190}});
        QVERIFY(half);
        QCOMPARE(half->function, "a");
        // No callee is named: of the difference in "a", 220 samples, "a" itself has 160 and its callee "copy" only 60.
        QCOMPARE(half->leaf, "");
    }

    void halfOfItIsNamedWhereNoFunctionHasNearlyAll()
    {
        const auto code = found({{"first", 100}, {"second", 100}, {"third", 100}}, {{"first", 300}, {"second", 180}, {"third", 190}});
        QVERIFY(code);
        QCOMPARE(code->function, "first");
        QCOMPARE(code->total, 2000.);
        QCOMPARE(code->leaf, "");
    }

    void whatIsFasterInBIsNamedToo()
    {
        const auto code = found({{"main;slow", 500}, {"main", 100}}, {{"main;slow", 100}, {"main", 100}});
        QVERIFY(code);
        QCOMPARE(code->function, "slow");
        QCOMPARE(code->total, -4000.);
        QVERIFY(code->isOwn);
    }

    void chanceHasNoCode()
    {
        QVERIFY(!found({{"main;work", 1000}}, {{"main;work", 1010}}));
        QVERIFY(!found({}, {}));
        QVERIFY(!found({{"first", 100}, {"second", 100}, {"third", 100}}, {{"first", 150}, {"second", 150}, {"third", 150}}));
    }

    void namesStandWithoutTemplateArgumentsAndParameters()
    {
        QCOMPARE(simplifyFunctionName("shop::fold<Order, shop::worker(unsigned)::{lambda(Order const&)#1}>(int)"), "shop::fold");
        QCOMPARE(simplifyFunctionName("(anonymous namespace)::Index<3>::find(char)"), "(anonymous namespace)::Index::find");
        QCOMPARE(simplifyFunctionName("std::operator< <char>"), "std::operator< <char>");
        QCOMPARE(simplifyFunctionName("memcmp"), "memcmp");
        QCOMPARE(simplifyFunctionName("<T as U>"), "<T as U>");
        QCOMPARE(simplifyFunctionName("<alloc::vec::Vec<T> as core::ops::Drop>::drop"), "<alloc::vec::Vec<T> as core::ops::Drop>::drop");
        QCOMPARE(simplifyFunctionName("main.(*Server).handle"), "main.(*Server).handle");
        QCOMPARE(simplifyFunctionName("my_operators(int)"), "my_operators");
        QCOMPARE(simplifyFunctionName("call<decltype(a->b)>(int)"), "call");
        QCOMPARE(simplifyFunctionName("cut<int"), "cut");
    }
};

HELIO_TEST(CodeDifferenceTest)
#include "tst_code_difference.moc"
