#include "tests/core/profiling/made_stacks.h"
#include "tests/support/made_call_tree.h"
#include "tests/support/test_program.h"
#include "widgets/flame/view/flame_colors.h"
#include "widgets/theme/module_colors.h"

#include <QTest>

using namespace helio;

namespace {

CallTree treeOf(MadeStacks& made)
{
    for (SampledFunction& function : made.names.functions) {
        if (function.module.empty())
            continue;
        function.code = function.module == "[kernel.kallsyms]" ? CodeKind::Kernel : CodeKind::User;
    }
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::None;
    return buildCallTree(made.profile, made.names, options);
}

FlameColors colorsOf(const CallTree& tree, FlameColoring coloring) { return FlameColors(tree, WeightBy::Samples, coloring); }

} // namespace

class FlameColorsTest : public QObject {
    Q_OBJECT

private slots:
    void theLegendNamesTheHeaviestModules()
    {
        MadeStacks made;
        for (int i = 0; i < 12; ++i)
            made.add("main;f" + std::to_string(i) + "@lib" + std::to_string(i) + ".so " + std::to_string(100 - i));
        const CallTree tree = treeOf(made);
        const FlameColors colors = colorsOf(tree, FlameColoring::Module);

        QCOMPARE(colors.legend().size(), std::size_t(8));
        QCOMPARE(colors.legend()[0].name, "lib0.so");
        QCOMPARE(colors.legend()[0].role, colors.roleOf(tree, nodeNamed(tree, "f0")));
        QVERIFY(colors.roleOf(tree, nodeNamed(tree, "f9")).startsWith("cat."));
    }

    void theKernelIsAlwaysTheKernelsColour()
    {
        MadeStacks made;
        made.add("main;fault@[kernel.kallsyms] 90").add("main;f 10");
        const CallTree tree = treeOf(made);

        for (const auto coloring : {FlameColoring::Module, FlameColoring::Code})
            QCOMPARE(colorsOf(tree, coloring).roleOf(tree, nodeNamed(tree, "fault")), "flame.kernel");
        QCOMPARE(colorsOf(tree, FlameColoring::Code).roleOf(tree, nodeNamed(tree, "f")), "flame.user");
    }

    void statesHaveTheColoursOfTheirBars()
    {
        MadeStacks made;
        made.add("f@a.so;running-user 60").add("f@a.so;blocked 30").add("f@a.so;strange 10");
        for (SampledFunction& function : made.names.functions) {
            function.color = function.name == "running-user" ? "thread.running-user"
                : function.name == "blocked"                 ? "#102030"
                : function.name == "strange"                 ? "no such role"
                                                             : "";
            function.code = CodeKind::User;
        }
        CallTreeOptions options;
        options.base = CallTreeOptions::Base::None;
        const CallTree tree = buildCallTree(made.profile, made.names, options);
        FlameColors colors = colorsOf(tree, FlameColoring::Module);
        const Theme theme = Theme::make(Theme::Kind::Dark);
        colors.resolve(theme);

        QCOMPARE(colors.paintOf(tree, nodeNamed(tree, "running-user")).fill, theme.color("thread.running-user"));
        QCOMPARE(colors.paintOf(tree, nodeNamed(tree, "blocked")).fill, QColor("#102030"));
        QCOMPARE(colors.paintOf(tree, nodeNamed(tree, "strange")).fill, theme.color("flame.unknown"));
        QCOMPARE(colors.legend().size(), std::size_t(4));
        QCOMPARE(colors.legend()[1].name, "running-user");
    }

    void aCommandHasTheColourOfItsProgram()
    {
        MadeStacks made;
        made.add("main 10"); // The process and the module of main() are both named "prog". Their frames must have the same colour.
        for (SampledFunction& function : made.names.functions)
            function.code = function.module.empty() ? CodeKind::Unknown : CodeKind::User;
        CallTreeOptions options;
        options.base = CallTreeOptions::Base::Process;
        const CallTree tree = buildCallTree(made.profile, made.names, options);
        const FlameColors colors = colorsOf(tree, FlameColoring::Module);

        QVERIFY(tree.functionOf(1).code == CodeKind::Thread);
        QVERIFY(colors.roleOf(tree, 2).startsWith("cat."));
        QCOMPARE(colors.roleOf(tree, 1), colors.roleOf(tree, 2));
    }

    void functionsWithoutAModuleHaveColoursOfTheirOwn()
    {
        MadeStacks made;
        made.add("main;parse 10").add("main;render 20").add("main;0x1234 1");
        for (SampledFunction& function : made.names.functions)
            function.module.clear();
        CallTreeOptions options;
        options.base = CallTreeOptions::Base::None;
        const CallTree tree = buildCallTree(made.profile, made.names, options);
        const FlameColors colors = colorsOf(tree, FlameColoring::Module);
        for (const char* name : {"main", "parse", "render"})
            QCOMPARE(colors.roleOf(tree, nodeNamed(tree, name)),
                     QStringLiteral("cat.%1").arg(categoryOfName(name), 2, 10, QLatin1Char('0')));
        QVERIFY(categoryOfName("parse") != categoryOfName("render"));
        QCOMPARE(colors.roleOf(tree, nodeNamed(tree, "0x1234")), "flame.unknown");
    }

    void codeWithoutANameHasTheColourOfItsModule()
    {
        MadeStacks made;
        made.add("main;f@libc.so.6 20").add("main;0x1234@libc.so.6 10").add("main;0x5678 10");
        for (SampledFunction& function : made.names.functions)
            if (function.name == "0x5678")
                function.module.clear();
        const CallTree tree = treeOf(made);
        const FlameColors colors = colorsOf(tree, FlameColoring::Module);
        QCOMPARE(colors.roleOf(tree, nodeNamed(tree, "0x1234")), colors.roleOf(tree, nodeNamed(tree, "f")));
        QCOMPARE(colors.roleOf(tree, nodeNamed(tree, "0x5678")), "flame.unknown"); // The module of this address is unknown, too.
        QCOMPARE(colorsOf(tree, FlameColoring::Code).roleOf(tree, nodeNamed(tree, "0x1234")), "flame.unknown");
    }

    void aModuleHasTheColourThatTheRecordingGivesIt()
    {
        MadeStacks first;
        first.add("main;f@libc.so.6 90").add("main;g@libm.so.6 10");
        MadeStacks second;
        second.add("h@other.so 99").add("main;g@libm.so.6 90").add("main;f@libc.so.6 1");
        const ModuleColors all({{"other.so"}, {"libc.so.6"}, {"libm.so.6"}, {"prog"}});
        for (MadeStacks* made : {&first, &second}) {
            const CallTree tree = treeOf(*made);
            const FlameColors colors(tree, WeightBy::Samples, FlameColoring::Module, &all);
            for (const auto& [name, module] : {std::pair("f", "libc.so.6"), std::pair("g", "libm.so.6")})
                QCOMPARE(colors.roleOf(tree, nodeNamed(tree, name)),
                         QStringLiteral("cat.%1").arg(all.categoryOf(module), 2, 10, QLatin1Char('0')));
        }
    }

    void heatIsTimeInItself()
    {
        MadeStacks made;
        made.add("main;hot 100").add("main;cold 1");
        const CallTree tree = treeOf(made);
        const FlameColors colors = colorsOf(tree, FlameColoring::Heat);

        QCOMPARE(colors.roleOf(tree, nodeNamed(tree, "hot")), "heat.4");
        QCOMPARE(colors.roleOf(tree, nodeNamed(tree, "cold")), "heat.1");
        QCOMPARE(colors.roleOf(tree, nodeNamed(tree, "main")), "heat.1");
    }

    void noModuleLooksLikeTheKernel()
    {
        MadeStacks made;
        for (int i = 0; i < 200; ++i)
            made.add("main;f" + std::to_string(i) + "@lib" + std::to_string(i) + ".so 1");
        const CallTree tree = treeOf(made);
        const FlameColors colors = colorsOf(tree, FlameColoring::Module);
        for (const auto kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
            const Theme theme = Theme::make(kind);
            const int kernel = theme.color("flame.kernel").hue();
            for (int i = 0; i < 200; ++i) {
                const QString role = colors.roleOf(tree, nodeNamed(tree, "f" + std::to_string(i)));
                QVERIFY(role.startsWith("cat."));
                const int distance = std::abs(theme.color(role).hue() - kernel);
                QVERIFY2(std::min(distance, 360 - distance) > 18, qPrintable(role));
            }
        }
    }

    void theNamesOfAncestorsStayReadable()
    {
        for (const auto kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
            const Theme theme = Theme::make(kind);
            for (const QString& role : theme.roles()) {
                const bool isFrame =
                    role.startsWith("flame.") || role.startsWith("cat.") || role.startsWith("diff.") || role.startsWith("heat.");
                if (!isFrame || role.endsWith(".ink"))
                    continue;
                const QColor fill = theme.color(role);

                const FlameColors::Paint ancestor = FlameColors::faded({fill, theme.textColorFor(fill)}, theme);

                QVERIFY2(contrast(ancestor.fill, ancestor.ink) >= 4.5, qPrintable(role));
                QVERIFY2(ancestor.fill != fill, qPrintable(role));
            }
        }
    }

    void everyRoleIsInBothThemes()
    {
        MadeStacks made;
        made.add("main;fault@[kernel.kallsyms];f 10").add("0x12 5");
        const CallTree tree = treeOf(made);
        for (const auto kind : {Theme::Kind::Dark, Theme::Kind::Light})
            for (const auto coloring : {FlameColoring::Module, FlameColoring::Code, FlameColoring::Heat}) {
                FlameColors colors = colorsOf(tree, coloring);
                const Theme theme = Theme::make(kind);
                colors.resolve(theme);
                for (std::uint32_t node = 0; node < tree.nodes.size(); ++node)
                    QVERIFY(colors.paintOf(tree, node).fill != QColor(Qt::magenta));
            }
    }
};

HELIO_TEST(FlameColorsTest)
#include "tst_flame_colors.moc"
