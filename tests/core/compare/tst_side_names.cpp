// Call trees of two sides, of which one has no inlined functions. Property: the difference shows only functions that both sides can name.

#include "core/compare/subject.h"
#include "core/compare/tree_difference.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

/// Returns perf script text with one sample: main() calls work(), which calls the frames `top`.
QByteArray script(const QByteArray& top)
{
    return "prog  10 [000] 1.000000: 250000 cpu-clock: \n" + top + "\t55d0 work+0x10 (/bin/prog)\n\t55c0 main+0x20 (/bin/prog)\n\n";
}

const QByteArray Inlined = script("\t55d0 square (inlined)\n\t55d0 sum (inlined)\n");
const QByteArray Plain = script("");
const QByteArray NotInlined = script("\t66d0 square+0x3 (/bin/prog)\n\t66e0 sum+0x4 (/bin/prog)\n");

struct Compared {
    Compared(const QByteArray& textA, const QByteArray& textB)
        : a(textA)
        , b(textB)
        , ofA(a.profile())
        , ofB(b.profile())
        , names(nameSides(ofA, *a.timeline, ofB, *b.timeline))
        , tree(compareTrees(buildCallTree(ofA, names.a), buildCallTree(ofB, names.b), {}))
    {
    }
    OpenedText a, b;
    StackProfile ofA, ofB;
    SideNames names;
    DifferenceTree tree;

    bool hasDifference() const
    {
        return std::ranges::any_of(tree.nodes, [&](const DifferenceNode& node) { return !(node.self.a == node.self.b); });
    }
};

} // namespace

class SideNamesTest : public QObject {
    Q_OBJECT

private slots:
    void inlinedFunctionsThatOneSideDoesNotNameAreLeftOutOnBoth()
    {
        for (const bool isOfA : {true, false}) {
            const Compared compared(isOfA ? Plain : Inlined, isOfA ? Inlined : Plain);
            QVERIFY(compared.names.omitsInlined);
            QCOMPARE(compared.names.isOfA, isOfA);
            QVERIFY(!compared.hasDifference());
            QCOMPARE(compared.tree.depth, 3u); // Three levels: the command, main and work.
        }
    }

    void whatBothNameStays()
    {
        const Compared compared(Inlined, Inlined);
        QVERIFY(!compared.names.omitsInlined && !compared.hasDifference());
        QCOMPARE(compared.tree.depth, 5u);
    }

    void aBuildWithoutInliningComparesWithOneThatInlines()
    {
        const Compared compared(NotInlined, Inlined);
        QVERIFY(!compared.names.omitsInlined && !compared.hasDifference());
        QCOMPARE(compared.tree.depth, 5u);
    }

    void aSideWithoutSamplesDecidesNothing()
    {
        const Compared compared(Inlined, "prog  10 [000] 1.000000: 250000 cycles: \n\n");
        QVERIFY(compared.names.omitsInlined); // B's only sample has no frames, so B counts as a side without inlined functions.
        const OpenedText text(Inlined);
        const StackProfile profile = text.profile();
        QVERIFY(!nameSides(profile, *text.timeline, {}, *text.timeline).omitsInlined);
    }
};

HELIO_TEST(SideNamesTest)
#include "tst_side_names.moc"
