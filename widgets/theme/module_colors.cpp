#include "widgets/theme/module_colors.h"

#include "core/query/rows/rows.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <mutex>

namespace helio {

namespace {

constexpr std::uint8_t Categories[] = {0, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 14, 15, 16, 17, 18};

/// Indexes of the eight category colours that differ most from each other and from the kernel's blue, in both themes.
constexpr std::array<int, ModuleColors::Distinct> DistinctCategories{3, 4, 5, 6, 8, 10, 12, 17};
constexpr std::array<int, 8> OtherCategories{0, 2, 7, 13, 14, 15, 16, 18};

constexpr std::size_t MostKept = 16; ///< Maximum number of timelines whose colours are cached.

/// Cached colours for the stores of a timeline.
struct KnownColors {
    std::vector<StackOwner> owners;
    std::shared_ptr<const ModuleColors> colors;
};

} // namespace

std::uint32_t hashName(std::string_view name)
{
    std::uint32_t hash = 2166136261; // FNV-1a hash.
    for (const char c : name)
        hash = (hash ^ std::uint8_t(c)) * 16777619;
    return hash ^ hash >> 16;
}

int categoryOfName(std::string_view name) { return Categories[hashName(name) % std::size(Categories)]; }

ModuleColors::ModuleColors(const std::vector<FrameModule>& modules)
{
    std::array<bool, Distinct> isTaken{};
    for (const FrameModule& module : modules) {
        if (m_heaviest.size() == Distinct)
            break;
        if (module.isKernel || module.name.empty() || m_heaviest.contains(module.name))
            continue;
        std::size_t place = hashName(module.name) % Distinct;
        while (isTaken[place])
            place = (place + 1) % Distinct;
        isTaken[place] = true;
        m_heaviest.emplace(module.name, DistinctCategories[place]);
    }
}

ModuleColors ModuleColors::distinctIn(const std::vector<FrameModule>& shown) const
{
    std::vector<std::string_view> first; // Modules that need distinct colours.
    // Weight of the modules that have each colour, indexed like DistinctCategories: `Many` for a module in `first`, 1 for any other module.
    std::array<int, Distinct> uses{};
    constexpr int Many = 1 << 20;
    const auto placeOf = [](int category) {
        return std::size_t(std::ranges::find(DistinctCategories, category) - DistinctCategories.begin());
    };
    for (const FrameModule& module : shown) {
        if (module.isKernel || module.name.empty() || std::ranges::find(first, module.name) != first.end())
            continue;
        const bool isFirst = first.size() < Distinct;
        if (isFirst)
            first.emplace_back(module.name);
        if (const auto known = m_heaviest.find(module.name); known != m_heaviest.end())
            uses[placeOf(known->second)] += isFirst ? Many : 1;
    }
    ModuleColors colors = *this;
    for (const std::string_view module : first) {
        if (isDistinct(module))
            continue;
        const std::size_t begin = hashName(module) % Distinct;
        std::size_t best = begin;
        for (std::size_t i = 0; i < Distinct; ++i)
            if (const std::size_t place = (begin + i) % Distinct; uses[place] < uses[best])
                best = place;
        uses[best] += Many;
        colors.m_heaviest.emplace(module, DistinctCategories[best]);
    }
    return colors;
}

int ModuleColors::categoryOf(std::string_view module) const
{
    if (const auto found = m_heaviest.find(module); found != m_heaviest.end())
        return found->second;
    return OtherCategories[hashName(module) % OtherCategories.size()];
}

std::shared_ptr<const ModuleColors> moduleColors(const Timeline& timeline)
{
    static std::mutex mutex; // Guards `known`.
    static std::vector<KnownColors> known; // Cached colours, the most recently used last.
    const std::vector<StackOwner> owners = stackOwners(timeline);
    const auto isSame = [](const StackOwner& a, const StackOwner& b) { return !a.owner_before(b) && !b.owner_before(a); };
    const auto find = [&]() -> std::shared_ptr<const ModuleColors> {
        const auto it = std::ranges::find_if(known, [&](const KnownColors& it) { return std::ranges::equal(it.owners, owners, isSame); });
        return it == known.end() ? nullptr : it->colors;
    };
    {
        const std::lock_guard lock(mutex);
        if (auto found = find())
            return found;
    }
    auto made = std::make_shared<const ModuleColors>(heaviestModules(timeline));
    const std::lock_guard lock(mutex);
    if (auto found = find()) // Another thread may have computed the colours meanwhile.
        return found;
    if (known.size() == MostKept)
        known.erase(known.begin());
    known.push_back({owners, made});
    return made;
}

} // namespace helio
