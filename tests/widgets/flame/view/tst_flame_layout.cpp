#include "tests/core/profiling/made_stacks.h"
#include "tests/support/made_call_tree.h"
#include "tests/support/test_program.h"
#include "widgets/flame/view/flame_layout.h"
#include "widgets/flame/view/flame_part.h"

#include <QTest>

using namespace helio;

namespace {

CallTree treeOf(const MadeStacks& made, CallTreeOptions options = {})
{
    options.base = CallTreeOptions::Base::None;
    return buildCallTree(made.profile, made.names, options);
}

} // namespace

class FlameLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void aSmallShareIsNotShownAsNothing()
    {
        QCOMPARE(shareText(58, 100), QStringLiteral("58.0\u00a0%"));
        QCOMPARE(shareText(1, 4419), QStringLiteral("0.02\u00a0%"));
        QCOMPARE(shareText(0, 4419), QStringLiteral("0.0\u00a0%"));
    }

    void childrenLieSideBySideAboveTheirCallersWidth()
    {
        MadeStacks made;
        made.add("main;a;x 30").add("main;a 10").add("main;b 40").add("main 20");
        const CallTree tree = treeOf(made);

        const FlameLayout layout = layOutFlame(tree, WeightBy::Samples, 0, 1000);

        QCOMPARE(layout.rowCount(), 4);
        QCOMPARE(layout.row(0)[0].width, 1000.0);
        QCOMPARE(layout.row(1)[0].width, 1000.0);
        QCOMPARE(layout.row(2).size(), std::size_t(2));
        QCOMPARE(layout.row(2)[0].left + layout.row(2)[0].width, layout.row(2)[1].left);
        QCOMPARE(layout.row(2)[0].width + layout.row(2)[1].width, 800.0); // The other 200 pixels are main's own samples.
        QCOMPARE(layout.row(3)[0].width, 300.0);
    }

    void theZoomedFrameAndItsCallersTakeTheWholeWidth()
    {
        MadeStacks made;
        made.add("main;a;x 30").add("main;a 10").add("main;b 60");
        const CallTree tree = treeOf(made);
        const std::uint32_t a = nodeNamed(tree, "a");

        const FlameLayout layout = layOutFlame(tree, WeightBy::Samples, a, 400);

        QCOMPARE(layout.rowCount(), 4);
        for (int row = 0; row <= 2; ++row) {
            QCOMPARE(layout.row(row).size(), std::size_t(1));
            QCOMPARE(layout.row(row)[0].width, 400.0);
        }
        QCOMPARE(layout.row(2)[0].node, a);
        QCOMPARE(layout.row(3)[0].width, 300.0);
        QVERIFY(!layout.find(tree, nodeNamed(tree, "b")));
    }

    void framesTooNarrowToSeeBecomeOneColumn()
    {
        MadeStacks made;
        made.add("main;big 10000");
        for (int i = 0; i < 50; ++i)
            made.add("main;f" + std::to_string(i) + ";deep 1");
        const CallTree tree = treeOf(made);

        const FlameLayout layout = layOutFlame(tree, WeightBy::Samples, 0, 1000);

        QCOMPARE(layout.row(2).size(), std::size_t(2));
        QVERIFY(layout.row(2)[1].isColumn);
        QCOMPARE(layout.row(2)[1].count, 50u);
        QCOMPARE(layout.rowCount(), 3); // Callees of frames that are too narrow to see have no layout.
    }

    void aHugeTreeHasNoMoreBoxesThanPixels()
    {
        MadeStacks made;
        for (int i = 0; i < 20000; ++i)
            made.add("main;f" + std::to_string(i % 200) + ";g" + std::to_string(i) + ";h 1");
        const CallTree tree = treeOf(made);

        const FlameLayout layout = layOutFlame(tree, WeightBy::Samples, 0, 500);

        QVERIFY(tree.nodes.size() > 40000);
        for (int row = 0; row < layout.rowCount(); ++row)
            QVERIFY(layout.row(row).size() <= std::size_t(2 * 500 / NarrowestFrame));
    }

    void thePointerFindsTheFrameUnderIt()
    {
        MadeStacks made;
        made.add("main;a 30").add("main;b 40").add("main 30");
        const CallTree tree = treeOf(made);
        const FlameLayout layout = layOutFlame(tree, WeightBy::Samples, 0, 1000);

        QCOMPARE(layout.at(2, 0)->node, nodeNamed(tree, "b")); // Frames of one caller are sorted by weight, so b (40) is left of a (30).
        QCOMPARE(layout.at(2, 399.9)->node, nodeNamed(tree, "b"));
        QCOMPARE(layout.at(2, 400)->node, nodeNamed(tree, "a"));
        QVERIFY(!layout.at(2, 701));
        QVERIFY(!layout.at(9, 10));
        QVERIFY(!layout.at(-1, 10));
    }

    void callersOfASandwichGrowUp()
    {
        MadeStacks made;
        made.add("main;a;f;x 30").add("main;b;f 10");
        CallTreeOptions options;
        options.function = "f";
        options.shape = CallTreeOptions::Shape::Callers;
        FlamePart part;
        part.tree = std::make_shared<const CallTree>(treeOf(made, options));
        part.layout = layOutFlame(*part.tree, WeightBy::Samples, 0, 400);
        part.growsUp = true;
        part.skippedRows = 2;

        QCOMPARE(part.shownRows(), 2); // A row with the callers a and b, and a row with their caller main.
        QVERIFY(part.rowTop(3) < part.rowTop(2));
        QCOMPARE(part.rowAt(part.rowTop(2) + 1), 2);
        QCOMPARE(part.rowAt(part.rowTop(3) + 1), 3);
        QCOMPARE(part.rowAt(part.height() + 1), -1);
        QCOMPARE(part.layout.row(2)[0].width, 300.0);
    }

    void nothingIsLaidOutOfNothing()
    {
        QCOMPARE(layOutFlame(CallTree(), WeightBy::Samples, 0, 100).rowCount(), 0);
        QCOMPARE(layOutFlame(treeOf(MadeStacks()), WeightBy::Samples, 0, 100).rowCount(), 0);
    }
};

HELIO_TEST(FlameLayoutTest)
#include "tst_flame_layout.moc"
