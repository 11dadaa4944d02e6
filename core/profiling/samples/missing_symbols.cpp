#include "core/profiling/samples/missing_symbols.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>

namespace helio {

namespace {

bool bringsNames(const Timeline& timeline, const CollectedNode& node)
{
    const Module* module = moduleAt(timeline, node.store, node.frame.module);
    return module && module->names;
}

} // namespace

MissingSymbols missingSymbols(const StackProfile& profile, const StackNames& names, const Timeline& timeline)
{
    MissingSymbols result;
    std::map<std::string_view, std::uint64_t> modules;
    for (const CollectedStack& stack : profile.stacks) {
        const auto frames = names.framesOf(stack.node);
        if (frames.empty())
            continue;
        const SampledFunction& function = names.functions[static_cast<std::size_t>(frames.front().function)];
        if (function.problem.empty() || function.module.empty() || bringsNames(timeline, profile.nodes[stack.node]))
            continue;
        result.sum += sumOf(stack);
        modules[function.module] += stack.samples;
    }
    for (const auto& [module, samples] : modules)
        result.modules.emplace_back(module);
    std::ranges::stable_sort(result.modules, [&](const std::string& a, const std::string& b) { return modules[a] > modules[b]; });
    return result;
}

} // namespace helio
