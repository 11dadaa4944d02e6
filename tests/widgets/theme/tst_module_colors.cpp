#include "tests/support/test_program.h"
#include "widgets/theme/module_colors.h"
#include "widgets/theme/theme.h"

#include <QColor>
#include <QTest>

#include <cmath>
#include <set>

using namespace helio;

namespace {

/// Colour difference in CIELAB; 10 is visible at a glance.
double distance(const QColor& a, const QColor& b)
{
    const auto lab = [](const QColor& color) {
        const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        const double r = linear(color.redF()), g = linear(color.greenF()), blue = linear(color.blueF());
        const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * blue) / 0.95047), y = f(0.2126 * r + 0.7152 * g + 0.0722 * blue),
                     z = f((0.0193 * r + 0.1192 * g + 0.9505 * blue) / 1.08883);
        return std::array<double, 3>{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const auto p = lab(a), q = lab(b);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

} // namespace

class ModuleColorsTest : public QObject {
    Q_OBJECT

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
                        QVERIFY2(distance(color, other) > 14, module.name.c_str());
                    seen.push_back(color);
                }
            }
        }
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
