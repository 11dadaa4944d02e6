#include "widgets/flame/view/flame_colors.h"

#include "widgets/theme/module_colors.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace helio {

namespace {

enum : std::uint8_t { Root, User, Kernel, Hypervisor, Unknown, Heat1, Category0 = Heat1 + 4, HueCount = Category0 + 20 };

constexpr std::size_t LegendLines = 8;

/// Returns the name of the program in a command's frame, e.g. matinit for "matinit (2652)".
std::string programOf(const SampledFunction& function) { return function.name.substr(0, function.name.find(" (")); }

bool isAddress(const SampledFunction& function) { return function.name.empty() || function.name.starts_with("0x"); }

std::uint8_t fixedHue(const SampledFunction& function)
{
    switch (function.code) {
    case CodeKind::Thread: return Root;
    case CodeKind::Kernel:
    case CodeKind::KernelModule: return Kernel;
    case CodeKind::Guest: return Hypervisor;
    default: return isAddress(function) ? Unknown : User;
    }
}

} // namespace

FlameColors::FlameColors(const CallTree& tree, WeightBy by, FlameColoring coloring, const ModuleColors* modules)
    : m_coloring(coloring)
    , m_by(by)
{
    for (const CallNode& node : tree.nodes)
        m_hottest = std::max(m_hottest, amount(node.own, by));
    for (const SampledFunction& function : tree.functions)
        m_hues.push_back(function.color.empty() ? fixedHue(function) : hueOfState(function.color));
    if (coloring == FlameColoring::Module)
        hueByModule(tree, by, modules);
}

void FlameColors::hueByModule(const CallTree& tree, WeightBy by, const ModuleColors* known)
{
    // Own amounts are summed by function first, because a tree has many nodes but few functions.
    std::vector<std::uint64_t> own(tree.functions.size());
    for (const CallNode& node : tree.nodes)
        own[static_cast<std::size_t>(node.function)] += amount(node.self, by);
    std::map<std::string, std::uint64_t> weights;
    bool hasKernel = false;
    const auto isOfModule = [&](std::size_t i) { // True if the module of function i is known, even if its name is unknown.
        return m_hues[i] == User || (m_hues[i] == Unknown && !tree.functions[i].module.empty());
    };
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (isOfModule(i))
            weights[tree.functions[i].module] += own[i];
        hasKernel = hasKernel || m_hues[i] == Kernel;
    }
    std::vector<std::pair<std::string, std::uint64_t>> heaviest(weights.begin(), weights.end());
    std::ranges::stable_sort(heaviest, std::greater{}, &std::pair<std::string, std::uint64_t>::second);
    std::vector<FrameModule> modules;
    for (const auto& [name, weight] : heaviest)
        modules.push_back({name});
    const ModuleColors colors = known ? known->distinctIn(modules) : ModuleColors(modules);
    std::map<std::string, Hue> hues;
    for (const auto& [name, weight] : heaviest) {
        hues[name] = Hue(Category0 + colors.categoryOf(name));
        if (m_legend.size() < LegendLines && !name.empty())
            m_legend.push_back({QString::fromStdString(name), roleName(hues[name])});
    }
    if (hasKernel)
        m_legend.push_back({QCoreApplication::translate("FlameColors", "Kernel"), roleName(Kernel)});
    for (std::size_t i = 0; i < m_hues.size(); ++i)
        if (m_hues[i] >= HueCount)
            m_legend.push_back({QString::fromStdString(tree.functions[i].name), roleName(m_hues[i])});
    for (std::size_t i = 0; i < m_hues.size(); ++i) {
        const SampledFunction& function = tree.functions[i];
        if (m_hues[i] == User && function.module.empty()) // Only the name of the function is known, so it determines the colour.
            m_hues[i] = Hue(Category0 + categoryOfName(function.name));
        else if (isOfModule(i))
            m_hues[i] = hues.contains(function.module) ? hues[function.module] : Hue(User);
        else if (const auto program = hues.find(programOf(function)); function.code == CodeKind::Thread && program != hues.end())
            m_hues[i] = program->second;
    }
}

FlameColors::Hue FlameColors::hueOfState(const std::string& color)
{
    const auto known = std::ranges::find(m_states, color);
    const auto place = std::size_t(known - m_states.begin());
    if (HueCount + place > std::numeric_limits<Hue>::max())
        return Unknown;
    if (known == m_states.end())
        m_states.push_back(color);
    return Hue(HueCount + place);
}

QString FlameColors::roleName(Hue hue) const
{
    if (hue >= HueCount)
        return QString::fromStdString(m_states[hue - HueCount]);
    static const char* const fixed[] = {"flame.root", "flame.user", "flame.kernel", "flame.hypervisor", "flame.unknown"};
    if (hue < Heat1)
        return QString::fromLatin1(fixed[hue]);
    if (hue < Category0)
        return QStringLiteral("heat.%1").arg(hue - Heat1 + 1);
    return QStringLiteral("cat.%1").arg(hue - Category0, 2, 10, QLatin1Char('0'));
}

FlameColors::Hue FlameColors::hueOf(const CallTree& tree, std::uint32_t node) const
{
    const CallNode& it = tree.nodes[node];
    if (node == 0)
        return Root;
    if (m_coloring != FlameColoring::Heat)
        return m_hues[static_cast<std::size_t>(it.function)];
    const std::uint64_t own = amount(it.own, m_by);
    if (m_hottest == 0)
        return Heat1;
    // The square root is used, as for source lines: otherwise all frames but the hottest ones would look cold.
    const double heat = std::sqrt(double(own) / double(m_hottest));
    return Hue(Heat1 + std::min(3, int(heat * 4)));
}

FlameColors::Paint FlameColors::faded(const Paint& paint, const Theme& theme)
{
    const QColor fill = mixed(theme.color("surface.panel"), paint.fill, 0.5);
    return {fill, theme.textColorFor(fill)};
}

void FlameColors::resolve(const Theme& theme)
{
    m_paints.clear();
    for (std::size_t hue = 0; hue < HueCount + m_states.size(); ++hue) {
        const QString role = roleName(Hue(hue));
        const QColor fill = role.startsWith('#') ? QColor(role) : theme.color(theme.has(role) ? role : roleName(Unknown));
        const QString ink = role + QStringLiteral(".ink");
        m_paints.push_back({fill, theme.has(ink) ? theme.color(ink) : theme.textColorFor(fill)});
    }
}

} // namespace helio
