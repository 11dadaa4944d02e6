#include "core/compare/side_names.h"

#include "core/profiling/samples/sample_stacks.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace helio {
namespace {

std::set<std::string_view> inlinedFunctions(const StackNames& names)
{
    std::set<std::string_view> inlined;
    for (const NamedFrame& frame : names.frames)
        if (frame.isInlined)
            inlined.insert(names.functions[static_cast<std::size_t>(frame.function)].name);
    return inlined;
}

bool hasMostOf(const StackNames& names, const std::set<std::string_view>& functions)
{
    std::set<std::string_view> own;
    for (const SampledFunction& function : names.functions)
        own.insert(function.name);
    return 2 * std::ranges::count_if(functions, [&](std::string_view name) { return own.contains(name); }) > std::ssize(functions);
}

} // namespace

SideNames nameSides(const StackProfile& ofA, const Timeline& a, const StackProfile& ofB, const Timeline& b, QueryProgress* progress,
                    std::stop_token stop)
{
    SideNames names{nameStacks(ofA, a, {}, progress, stop), nameStacks(ofB, b, {}, progress, stop), false, false};
    const auto inA = inlinedFunctions(names.a);
    const auto inB = inlinedFunctions(names.b);
    if (inA.empty() == inB.empty() || ofA.samples == 0 || ofB.samples == 0)
        return names;
    names.isOfA = inA.empty();
    names.omitsInlined = names.isOfA ? !hasMostOf(names.a, inB) : !hasMostOf(names.b, inA);
    if (names.omitsInlined)
        (names.isOfA ? names.b : names.a) =
            names.isOfA ? nameStacks(ofB, b, {false}, progress, stop) : nameStacks(ofA, a, {false}, progress, stop);
    return names;
}

} // namespace helio
