#include "core/profiling/samples/call_tree.h"
#include "tests/core/profiling/made_stacks.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

using Shape = CallTreeOptions::Shape;
using Order = CallTreeOptions::Order;
using Base = CallTreeOptions::Base;

CallTreeOptions plain(Shape shape = Shape::TopDown)
{
    CallTreeOptions options;
    options.shape = shape;
    options.base = Base::None;
    return options;
}

/// Tree as text, "main 6/1(f 5/5)": name, total and self samples, children in order.
QString text(const CallTree& tree, std::uint32_t node = 0)
{
    const CallNode& n = tree.nodes[node];
    const QString name = node == 0 ? QStringLiteral("all") : QString::fromStdString(tree.functionOf(node).label());
    QStringList children;
    for (std::uint32_t i = 0; i < n.childCount; ++i)
        children << text(tree, n.firstChild + i);
    const QString own = QStringLiteral("%1 %2/%3").arg(name).arg(n.total.samples).arg(n.self.samples);
    return children.isEmpty() ? own : own + '(' + children.join(' ') + ')';
}

QString treeOf(const MadeStacks& made, const CallTreeOptions& options) { return text(buildCallTree(made.profile, made.names, options)); }

} // namespace

class CallTreeTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: 100,000 stacks, each of which contains the whole preceding stack. Property: the tree is built without walking each stack
    /// completely, which would take 5,000,000,000 steps.
    void aHundredThousandDeep()
    {
        constexpr std::uint32_t Depth = 100'000;
        MadeStacks made;
        made.add("f;g 1");
        for (std::uint32_t node = 3; node <= Depth; ++node) {
            made.profile.nodes.push_back({node - 1, {}, {ModuleId{1}, false, node}});
            made.names.frames.push_back({FunctionId{1 + node % 2}, false});
            made.names.firstFrame.push_back(static_cast<std::uint32_t>(made.names.frames.size()));
            made.profile.stacks.push_back({node, 0, 0, 1, 10, timestamp(1000 + node)});
        }
        const CallTree tree = buildCallTree(made.profile, made.names, plain());
        QCOMPARE(tree.depth, Depth);
        QCOMPARE(tree.nodes[1].total.samples, std::uint64_t(Depth - 1));
        QCOMPARE(tree.nodes[Depth].self.samples, std::uint64_t(1));
    }

    /// Input: random stacks. Property: a focus that matches everything does not change the tree, although with a focus each path is walked
    /// from end to end instead of node by node.
    void anyStacksNodeByNodeAndPathByPath_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 30; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void anyStacksNodeByNodeAndPathByPath()
    {
        QFETCH(int, seed);
        Dice dice(static_cast<quint64>(seed));
        MadeStacks made;
        made.addThread("other", 20, 20);
        made.addThread("prog", 10, 11);
        for (int i = 0; i < 60; ++i) {
            QString line = "root"; // This frame is never hidden.
            for (auto depth = dice.below(8) + 1; depth > 0; --depth)
                line += QString(";%1%2").arg(QChar('a' + int(dice.below(4)))).arg(dice.below(3) == 0 ? "~" : "");
            made.add(line.toStdString() + ' ' + std::to_string(1 + dice.below(5)), std::uint32_t(dice.below(3)),
                     std::int32_t(dice.below(2)));
        }
        for (const Base base : {Base::None, Base::Command, Base::Thread, Base::Cpu}) {
            CallTreeOptions options;
            options.base = base;
            if (dice.below(2) == 0)
                options.hiddenFunctions = {"b"};
            CallTreeOptions byPath = options;
            byPath.focus = {"*"};
            const CallTree tree = buildCallTree(made.profile, made.names, options);
            const CallTree same = buildCallTree(made.profile, made.names, byPath);
            QVERIFY(text(tree) == text(same));
            QCOMPARE(tree.nodes.size(), same.nodes.size());
            for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
                QCOMPARE(tree.nodes[i].isInlined, same.nodes[i].isInlined);
                QCOMPARE(tree.nodes[i].first, same.nodes[i].first);
                QCOMPARE(tree.nodes[i].own.weight, same.nodes[i].own.weight);
            }
        }
    }

    void samplesOfOnePathAreOneNodeAndCountForAllAboveIt()
    {
        MadeStacks made;
        made.add("main;f;g 3").add("main;f 2").add("main;h 1").add("main;f;g 4");

        QCOMPARE(treeOf(made, plain()), QStringLiteral("all 10/0(main 10/0(f 9/2(g 7/7) h 1/1))"));
    }

    void weightsAreSummedBesideSamples()
    {
        MadeStacks made;
        made.add("main;f 3").add("main 2");

        const CallTree tree = buildCallTree(made.profile, made.names, plain());

        QCOMPARE(tree.nodes[1].total, (SampleSum{5, 50}));
        QCOMPARE(tree.nodes[1].self, (SampleSum{2, 20}));
        QCOMPARE(tree.whole, (SampleSum{5, 50}));
    }

    void anInvertedTreeBeginsWithWhatWasSampled()
    {
        MadeStacks made;
        made.add("main;f;g 3").add("main;g 2").add("main;f 1");

        QCOMPARE(treeOf(made, plain(Shape::Inverted)), QStringLiteral("all 6/0(g 5/0(f 3/0(main 3/3) main 2/2) f 1/0(main 1/1))"));
    }

    void aSandwichCountsRecursionOnce()
    {
        MadeStacks made;
        made.add("main;fib;fib;fib;add 4").add("main;other 5").add("main;fib 1").add("start;fib;fib 2");
        CallTreeOptions callees = plain(Shape::Callees);
        CallTreeOptions callers = plain(Shape::Callers);
        callees.function = callers.function = "fib";

        QCOMPARE(treeOf(made, callees), QStringLiteral("all 7/0(fib 7/1(fib 6/2(fib 4/0(add 4/4))))"));
        QCOMPARE(treeOf(made, callers), QStringLiteral("all 7/0(fib 7/0(main 5/5 start 2/2))"));
        QCOMPARE(buildCallTree(made.profile, made.names, callers).whole.samples, 12u);
    }

    void whereCallersAreChildrenTheSampledFunctionsOwnIsOnTheFirstLevel()
    {
        MadeStacks made;
        made.add("main;fib;fib;fib;add 4").add("main;other 5").add("main;fib 1").add("start;fib;fib 2");
        CallTreeOptions callers = plain(Shape::Callers);
        callers.function = "fib";
        const auto own = [&](const CallTreeOptions& options) {
            const CallTree tree = buildCallTree(made.profile, made.names, options);
            QStringList nodes;
            for (std::uint32_t i = 1; i < tree.nodes.size(); ++i)
                if (tree.nodes[i].own.samples > 0)
                    nodes << QString::fromStdString(tree.functionOf(i).label()) + QString(" %1").arg(tree.nodes[i].own.samples);
            return nodes.join(", ");
        };

        QCOMPARE(own(callers), "fib 3");
        QCOMPARE(own(plain(Shape::Inverted)), "other 5, add 4, fib 3");
        QCOMPARE(own(plain()), "fib 1, other 5, fib 2, add 4");
    }

    void directRecursionCollapsesIntoOneNode()
    {
        MadeStacks made;
        made.add("main;fib;fib;fib;add;fib 4").add("main;fib 1");
        CallTreeOptions options = plain();
        options.collapsesRecursion = true;

        QCOMPARE(treeOf(made, options), QStringLiteral("all 5/0(main 5/0(fib 5/1(add 4/0(fib 4/4))))"));
    }

    void hiddenFunctionsGiveTheirTimeToTheirCallers()
    {
        MadeStacks made;
        made.add("main;f@lib;g 3").add("main;f@lib 2").add("main;operator new@c++ 1");
        CallTreeOptions byName = plain();
        byName.hiddenFunctions = {"op*new"};
        CallTreeOptions byModule = plain();
        byModule.hiddenModules = {"lib"};

        QCOMPARE(treeOf(made, byName), QStringLiteral("all 6/0(main 6/1(f 5/2(g 3/3)))"));
        QCOMPARE(treeOf(made, byModule), QStringLiteral("all 6/0(main 6/2(g 3/3 operator new 1/1))"));
    }

    void focusLeavesOutOtherStacksAndNoCallers()
    {
        MadeStacks made;
        made.add("main;f;g 3").add("main;h 2").add("main;f 1");
        CallTreeOptions options = plain();
        options.focus = {"f"};

        const CallTree tree = buildCallTree(made.profile, made.names, options);

        QCOMPARE(text(tree), QStringLiteral("all 4/0(main 4/0(f 4/1(g 3/3)))"));
        QCOMPARE(tree.whole.samples, 6u);
    }

    void functionsOfOneNameInTwoModulesAreOneWhereModulesMerge()
    {
        MadeStacks made;
        made.add("main;init@a 3").add("main;init@b 2");
        CallTreeOptions merged = plain();
        merged.mergesModules = true;

        QCOMPARE(treeOf(made, plain()), QStringLiteral("all 5/0(main 5/0(init 3/3 init 2/2))"));
        QCOMPARE(treeOf(made, merged), QStringLiteral("all 5/0(main 5/0(init 5/5))"));
    }

    void childrenComeInTheOrderAskedFor()
    {
        MadeStacks made;
        made.add("m;b 1").add("m;c 5").add("m;a 3");
        CallTreeOptions options = plain();

        QCOMPARE(treeOf(made, options), QStringLiteral("all 9/0(m 9/0(c 5/5 a 3/3 b 1/1))"));
        options.order = Order::Name;
        QCOMPARE(treeOf(made, options), QStringLiteral("all 9/0(m 9/0(a 3/3 b 1/1 c 5/5))"));
        options.order = Order::FirstTime;
        QCOMPARE(treeOf(made, options), QStringLiteral("all 9/0(m 9/0(b 1/1 c 5/5 a 3/3))"));
    }

    void theBaseIsWhoRan()
    {
        MadeStacks made;
        const std::uint32_t second = made.addThread("prog", 10, 11);
        made.add("main 1", 0, 0).add("main 2", second, 1);
        CallTreeOptions options = plain();

        options.base = Base::Command;
        QCOMPARE(treeOf(made, options), QStringLiteral("all 3/0(prog 3/0(main 3/3))"));
        options.base = Base::Process;
        QCOMPARE(treeOf(made, options), QStringLiteral("all 3/0(prog (10) 3/0(main 3/3))"));
        options.base = Base::Thread;
        QCOMPARE(treeOf(made, options), QStringLiteral("all 3/0(prog (11) 2/0(main 2/2) prog (10) 1/0(main 1/1))"));
        options.base = Base::Cpu;
        QCOMPARE(treeOf(made, options), QStringLiteral("all 3/0(CPU 1 2/0(main 2/2) CPU 0 1/0(main 1/1))"));
    }

    void aNodeIsInlinedOnlyWhereAllItsSamplesAre()
    {
        MadeStacks made;
        made.add("main;f~ 1").add("main;g~ 1").add("main;g 1");

        const CallTree tree = buildCallTree(made.profile, made.names, plain());

        for (std::uint32_t i = 2; i < tree.nodes.size(); ++i)
            QCOMPARE(tree.nodes[i].isInlined, tree.functionOf(i).name == "f");
    }

    void childrenLieTogetherAndParentsBeforeThem()
    {
        MadeStacks made;
        for (int i = 0; i < 500; ++i)
            made.add("m;" + std::to_string(i % 7) + ';' + std::to_string(i % 13) + ';' + std::to_string(i % 31) + " 1");

        const CallTree tree = buildCallTree(made.profile, made.names);

        QCOMPARE(tree.nodes[0].total.samples, 500u);
        for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
            SampleSum sum = tree.nodes[i].self;
            for (const CallNode& child : tree.childrenOf(i)) {
                QCOMPARE(child.parent, i);
                QCOMPARE(child.depth, tree.nodes[i].depth + 1);
                sum += child.total;
            }
            QCOMPARE(sum, tree.nodes[i].total);
        }
    }

    void aMatchInsideAMatchCountsOnce()
    {
        MadeStacks made;
        made.add("main;f;g;f 3").add("main;g 2").add("main 1");
        const CallTree tree = buildCallTree(made.profile, made.names, plain());
        std::vector<bool> matches(tree.functions.size());
        for (std::size_t i = 0; i < matches.size(); ++i)
            matches[i] = tree.functions[i].name == "f" || tree.functions[i].name == "g";

        QCOMPARE(sumOfMatches(tree, matches), (SampleSum{5, 50}));
    }

    void aStoppedTreeSaysSo()
    {
        MadeStacks made;
        made.add("main 1");
        std::stop_source stop;
        stop.request_stop();

        QVERIFY(buildCallTree(made.profile, made.names, {}, stop.get_token()).isStopped);
    }

    void aTreeOfNothingIsItsRoot()
    {
        const CallTree tree = buildCallTree(MadeStacks().profile, MadeStacks().names);

        QCOMPARE(tree.nodes.size(), std::size_t(1));
        QCOMPARE(tree.whole, SampleSum{});
    }

    void aProcessIsOneRootNamedAfterItself()
    {
        MadeStacks made;
        const std::uint32_t leader = made.addThread("old-name", 20, 20);
        const std::uint32_t worker = made.addThread("worker", 20, 21);
        for (const std::uint32_t thread : {leader, worker})
            made.profile.threads[thread].process = "server";
        made.add("main 3", leader).add("work 5", worker);
        CallTreeOptions options;
        options.base = CallTreeOptions::Base::Process;
        const CallTree tree = buildCallTree(made.profile, made.names, options);
        QCOMPARE(tree.childrenOf(0).size(), std::size_t(1));
        QCOMPARE(tree.functionOf(1).label(), std::string("server (20)"));
        QCOMPARE(tree.nodes[1].total.samples, 8u);
    }
};

HELIO_TEST(CallTreeTest)
#include "tst_call_tree.moc"
