#include "core/profiling/samples/function_groups.h"
#include "tests/core/profiling/made_stacks.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

/// Table as text, one row a line: "comm module name self/total".
QStringList text(const MadeStacks& made, const FunctionTableOptions& options = {})
{
    const FunctionTable table = buildFunctionTable(made.profile, made.names, options);
    QStringList lines;
    for (const FunctionRow& row : table.rows) {
        QStringList parts;
        for (const std::string& part :
             {row.comm, row.module, options.bySymbol ? table.functions[static_cast<std::size_t>(row.function)].label() : std::string()})
            if (!part.empty())
                parts << QString::fromStdString(part);
        if (row.tid >= 0)
            parts << QString::number(row.tid);
        if (row.cpu >= 0)
            parts << "CPU" + QString::number(row.cpu);
        lines << parts.join(' ') + QStringLiteral(" %1/%2").arg(row.self.samples).arg(row.total.samples);
    }
    return lines;
}

} // namespace

class FunctionTableTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: random stacks. Property: a focus that matches everything does not change the table, although the table is then summed up path
    /// by path instead of node by node.
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
        for (int i = 0; i < 60; ++i) {
            std::string line = "root"; // This frame is never hidden.
            for (auto depth = dice.below(8); depth > 0; --depth)
                line += std::string(";") + char('a' + dice.below(4)) + (dice.below(3) == 0 ? "@lib" : "") + (dice.below(3) == 0 ? "~" : "");
            made.add(line + ' ' + std::to_string(1 + dice.below(5)), std::uint32_t(dice.below(2)), std::int32_t(dice.below(2)));
        }
        for (int round = 0; round < 8; ++round) {
            FunctionTableOptions options;
            options.bySymbol = dice.below(3) > 0;
            options.byModule = dice.below(2) == 0;
            options.byThread = dice.below(2) == 0;
            options.byCpu = dice.below(2) == 0;
            if (dice.below(2) == 0)
                options.tree.hiddenFunctions = {"b"};
            FunctionTableOptions byPath = options;
            byPath.tree.focus = {"*"};
            QVERIFY(!text(made, options).isEmpty());
            QCOMPARE(text(made, options), text(made, byPath));
        }
    }

    void recursionCountsOnceInTheTotal()
    {
        MadeStacks made;
        made.add("main;fib;fib;fib 4").add("main 1").add("main;fib;add@lib;fib 2");

        QCOMPARE(text(made), (QStringList{"prog prog fib 6/6", "prog prog main 1/7", "prog lib add 0/2"}));
    }

    void samplesArePartedByWhatIsAsked()
    {
        MadeStacks made;
        const std::uint32_t second = made.addThread("other", 10, 11);
        made.add("main;f@lib 3", 0, 0).add("main;f@lib 2", second, 1);
        FunctionTableOptions modules;
        modules.bySymbol = modules.byComm = false;
        FunctionTableOptions threads;
        threads.byModule = threads.bySymbol = threads.byComm = false;
        threads.byThread = true;
        FunctionTableOptions cpus = threads;
        cpus.byThread = false;
        cpus.byCpu = true;

        QCOMPARE(text(made), (QStringList{"prog lib f 3/3", "other lib f 2/2", "prog prog main 0/3", "other prog main 0/2"}));
        QCOMPARE(text(made, modules), (QStringList{"lib 5/5", "prog 0/5"}));
        QCOMPARE(text(made, threads), (QStringList{"10 3/3", "11 2/2"}));
        QCOMPARE(text(made, cpus), (QStringList{"CPU0 3/3", "CPU1 2/2"}));
    }

    void processesAreCalledAsTheirLeaders()
    {
        MadeStacks made;
        const std::uint32_t worker = made.addThread("worker", 20, 21);
        const std::uint32_t leader = made.addThread("server", 20, 20);
        made.add("main;f 3", worker).add("main;f 2", leader).add("main 1");
        const FunctionTable table = buildFunctionTable(made.profile, made.names, groupedBy(FunctionGroup::Process));

        QCOMPARE(table.rows.size(), std::size_t(2));
        QCOMPARE(table.rows[0].comm, "server");
        QCOMPARE(table.rows[0].pid, 20);
        QCOMPARE(table.rows[0].total.samples, std::uint64_t(5));
        QCOMPARE(table.rows[1].pid, 10);
    }

    void processesOfTwoHostsAreTwoAndThreadsOfNoneAreOnesOfTheirOwn()
    {
        MadeStacks made;
        const std::uint32_t elsewhere = made.addThread("prog", 10, 10);
        made.profile.threads[elsewhere].host = 1;
        made.add("main 4").add("main 3", elsewhere);
        made.add("main 2", made.addThread("a", -1, 7)).add("main 1", made.addThread("b", -1, 8));
        const auto totals = [&](FunctionGroup group) {
            QStringList lines;
            for (const FunctionRow& row : buildFunctionTable(made.profile, made.names, groupedBy(group)).rows)
                lines << QStringLiteral("%1 %2 %3").arg(row.comm.c_str()).arg(row.host).arg(row.total.samples);
            return lines;
        };
        QCOMPARE(totals(FunctionGroup::Process), (QStringList{"prog 0 4", "prog 1 3", "a 0 2", "b 0 1"}));
        QCOMPARE(totals(FunctionGroup::Thread), (QStringList{"prog 0 4", "prog 1 3", "a 0 2", "b 0 1"}));
    }

    void aProcessIsTheSameWhicheverOfItsThreadsAnEventHas()
    {
        MadeStacks made, other;
        made.add("main 3", made.addThread("leader", 20, 20));
        other.add("main 2", other.addThread("worker", 20, 21));
        const FunctionTableOptions how = groupedBy(FunctionGroup::Process);
        const auto costs =
            matchingLineCosts(buildFunctionTable(made.profile, made.names, how), buildFunctionTable(other.profile, other.names, how));
        QCOMPARE(costs.size(), std::size_t(1));
        QCOMPARE(costs[0].total.samples, std::uint64_t(2));
    }

    void costsOfAnotherEventStandBesideTheSameLines()
    {
        MadeStacks made, other;
        made.add("main;f 3").add("main;g@lib 4");
        other.add("main;g@lib 1").add("main;h 9").add("f 2", other.addThread("else", 30, 30));
        const FunctionTable table = buildFunctionTable(made.profile, made.names);

        const std::vector<LineCost> costs = matchingLineCosts(table, buildFunctionTable(other.profile, other.names));

        QStringList lines;
        for (std::size_t i = 0; i < costs.size(); ++i)
            lines << QStringLiteral("%1 %2/%3")
                         .arg(table.functions[std::size_t(table.rows[i].function)].label().c_str())
                         .arg(costs[i].self.samples)
                         .arg(costs[i].total.samples);
        QCOMPARE(lines, (QStringList{"g 1/1", "f 0/0", "main 0/10"}));
    }

    void filesOfOneNameStayApartBesideEachOther()
    {
        MadeStacks made, other;
        made.add("first 3").add("second 4");
        other.add("second 2").add("first 1");
        for (StackNames* names : {&made.names, &other.names})
            for (SampledFunction& function : names->functions) {
                function.place = function.name;
                function.name = "util.c";
            }
        const FunctionTable table = buildFunctionTable(made.profile, made.names);

        const std::vector<LineCost> costs = matchingLineCosts(table, buildFunctionTable(other.profile, other.names));

        QCOMPARE(table.rows.size(), std::size_t(2));
        QCOMPARE(table.rows[0].self.samples, std::uint64_t(4));
        QCOMPARE(costs[0].self.samples, std::uint64_t(2));
        QCOMPARE(costs[1].self.samples, std::uint64_t(1));
    }

    void rowsComeByTotalWhereAskedFor()
    {
        MadeStacks made;
        made.add("main;f 3").add("main;g 4");
        FunctionTableOptions options;
        options.byTotal = true;

        QCOMPARE(text(made, options), (QStringList{"prog prog main 0/7", "prog prog g 4/4", "prog prog f 3/3"}));
    }

    void rowsAreOfTheStacksThatATreeHas()
    {
        MadeStacks made;
        made.add("main;f;g@lib;f 3").add("main;h;g@lib 4").add("main;f 2");
        FunctionTableOptions focused, hidden, callees, callers;
        focused.tree.focus = {"h"};
        hidden.tree.hiddenModules = {"lib"};
        callees.tree.shape = CallTreeOptions::Shape::Callees;
        callers.tree.shape = CallTreeOptions::Shape::Callers;
        callees.tree.function = callers.tree.function = "g";

        QCOMPARE(text(made, focused), (QStringList{"prog lib g 4/4", "prog prog h 0/4", "prog prog main 0/4"}));
        QCOMPARE(text(made, hidden), (QStringList{"prog prog f 5/5", "prog prog h 4/4", "prog prog main 0/9"}));
        QCOMPARE(text(made, callees), (QStringList{"prog lib g 4/7", "prog prog f 3/3"}));
        QCOMPARE(text(made, callers), (QStringList{"prog lib g 4/7", "prog prog main 0/7", "prog prog h 0/4", "prog prog f 0/3"}));
    }

    void samplesWithoutFramesAreUnknown()
    {
        MadeStacks made;
        made.profile.stacks.push_back({0, 0, 0, 5, 50, timestamp(1)});

        QCOMPARE(text(made), (QStringList{"prog [unknown] 5/5"}));
    }
};

HELIO_TEST(FunctionTableTest)
#include "tst_function_table.moc"
