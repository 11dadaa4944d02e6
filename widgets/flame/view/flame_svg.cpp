#include "widgets/flame/view/flame_svg.h"

#include "core/profiling/samples/amount_text.h"
#include "widgets/flame/view/flame_part.h"

namespace helio {

namespace {

constexpr std::size_t LegendLetters = 8; ///< Maximum length of a name in the legend, in letters.

SvgColor rgb(QColor color) { return {color.red(), color.green(), color.blue()}; }

std::string legendName(const QString& name)
{
    return (name.size() <= qsizetype(LegendLetters) ? name : name.left(LegendLetters - 1) + QChar(0x2026)).toStdString();
}

} // namespace

void writeFlameSvg(const CallTree& tree, WeightBy by, const SvgOptions& options, FlameColoring coloring, const ModuleColors* modules,
                   const Theme& theme, const TextSink& write)
{
    FlameColors colors(tree, by, coloring, modules);
    colors.resolve(theme);
    const auto share = [&](std::uint32_t node) {
        return shareText(amount(tree.nodes[node].total, by), amount(tree.whole, by), 2).toStdString();
    };
    SvgStyle style;
    style.rootName = "all";
    style.ground = rgb(theme.color("surface.panel"));
    style.text = rgb(theme.color("text.primary"));
    style.remark = rgb(theme.color("text.secondary"));
    style.fill = [&](std::uint32_t node) { return rgb(colors.paintOf(tree, node).fill); };
    style.saying = [&](std::uint32_t node) { return node == 0 ? std::string() : share(node); };
    style.words = [&](std::uint32_t node) { return amountWords(tree.nodes[node].total, by, tree.kind) + ", " + share(node); };
    const auto explain = [&](const QString& role, const QString& name) {
        style.legend.emplace_back(rgb(theme.color(role)), legendName(name));
    };
    for (const FlameColors::Named& named : colors.legend())
        explain(named.role, named.name);
    if (coloring == FlameColoring::Code)
        for (const char* code : {"user", "kernel", "hypervisor"})
            explain(QStringLiteral("flame.%1").arg(QLatin1String(code)),
                    QLatin1String(code == std::string_view("hypervisor") ? "guest" : code));
    if (coloring == FlameColoring::Heat)
        for (const auto& [role, name] : {std::pair("heat.1", "little"), std::pair("heat.4", "most")})
            explain(QLatin1String(role), QLatin1String(name));
    writeSvg(tree, by, options, style, write);
}

} // namespace helio
