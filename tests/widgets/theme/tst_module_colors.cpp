#include "tests/support/color_vision.h"
#include "tests/support/test_program.h"
#include "widgets/theme/module_colors.h"
#include "widgets/theme/theme.h"

#include <QColor>
#include <QTest>

#include <set>

using namespace helio;

using test::colorDifference;
using test::Vision;

namespace {

/// Least CIEDE2000 difference of two colours that are told apart at a glance in a legend; just noticeable is 1.
constexpr double Distinguishable = 14;

} // namespace

class ModuleColorsTest : public QObject {
    Q_OBJECT

    static double difference(const QColor& a, const QColor& b) { return colorDifference(a.rgb(), b.rgb(), Vision::Normal); }

private slots:
    void theHeaviestModulesAreEasilyToldApart()
    {
        const std::vector<std::vector<FrameModule>> recordings{
            {{"node"}, {"[JIT]"}, {"[kernel.kallsyms]", true}, {"libc.so.6"}, {"libstdc++.so.6.0.30"}, {"[vdso]"}},
            {{"pipe"}, {"libc.so.6"}, {"[kernel.kallsyms]", true}, {"[vdso]"}, {"ld-linux-x86-64.so.2"}},
            {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}, {"h"}, {"i"}, {"j"}},
        };
        for (const auto kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
            const Theme theme = Theme::make(kind);
            for (const auto& modules : recordings) {
                const ModuleColors colors(modules);
                std::vector<QColor> seen{theme.color("flame.kernel")};
                for (const FrameModule& module : modules) {
                    if (module.isKernel)
                        continue;
                    if (seen.size() > ModuleColors::Distinct)
                        break;
                    const QColor color = theme.category(colors.categoryOf(module.name));
                    for (const QColor& other : seen)
                        QVERIFY2(difference(color, other) > Distinguishable, module.name.c_str());
                    seen.push_back(color);
                }
            }
        }
    }

    /// Input: a flame graph of a part of the recording, in which other modules are the heaviest. Property: the eight heaviest modules of
    /// the graph have distinct colours, and the heaviest modules of the recording keep their colours.
    void theHeaviestModulesOfAPartAreEasilyToldApart()
    {
        std::vector<FrameModule> recording, part;
        for (int i = 0; i < 40; ++i)
            recording.push_back({"lib" + std::to_string(i) + ".so"});
        const ModuleColors all(recording);
        for (const int i : {20, 3, 21, 22, 23, 0, 24, 25, 26, 1, 27})
            part.push_back(recording[std::size_t(i)]);
        const ModuleColors colors = all.distinctIn(part);
        for (const auto kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
            const Theme theme = Theme::make(kind);
            for (std::size_t i = 0; i < ModuleColors::Distinct; ++i)
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY2(difference(theme.category(colors.categoryOf(part[i].name)), theme.category(colors.categoryOf(part[j].name)))
                                 > Distinguishable,
                             (part[i].name + ' ' + part[j].name).c_str());
        }
        for (const char* module : {"lib3.so", "lib0.so", "lib1.so", "lib27.so", "lib30.so"})
            QCOMPARE(colors.categoryOf(module), all.categoryOf(module));
        const auto same = all.distinctIn(recording);
        for (const FrameModule& module : recording)
            QCOMPARE(same.categoryOf(module.name), all.categoryOf(module.name));
    }

    void aModuleKeepsItsColourWhereNoHeavierOneHasIt()
    {
        const int alone = ModuleColors({{"libc.so.6"}}).categoryOf("libc.so.6");
        QCOMPARE(ModuleColors({{"libc.so.6"}, {"app"}, {"other"}}).categoryOf("libc.so.6"), alone);
    }

    void lightModulesTakeNoColourOfTheHeaviest()
    {
        std::vector<FrameModule> modules;
        for (int i = 0; i < 30; ++i)
            modules.push_back({"lib" + std::to_string(i) + ".so"});
        const ModuleColors colors(modules);
        std::set<int> heaviest;
        for (std::size_t i = 0; i < ModuleColors::Distinct; ++i)
            heaviest.insert(colors.categoryOf(modules[i].name));
        QCOMPARE(heaviest.size(), ModuleColors::Distinct);
        for (std::size_t i = ModuleColors::Distinct; i < modules.size(); ++i)
            QVERIFY(!heaviest.contains(colors.categoryOf(modules[i].name)));
    }
};

HELIO_TEST(ModuleColorsTest)
#include "tst_module_colors.moc"
