#pragma once

#include "core/analyses/kernel/states.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace helio::test {

/// A set of states with the given names. Categories and styles are copied from the kernel analysis' set `id` ("thread", "cpu" or
/// "cpu-thread"); a name that is not in this set has no category.
inline StateSet statesNamed(std::string_view id, std::span<const std::string_view> names)
{
    StateSet set{std::string(id), {}, {}};
    for (const std::string_view name : names)
        set.states.push_back({std::string(name), name == "unknown" ? StateCategory::Unknown : StateCategory::None, {}});
    for (const StateSet* known : {&kernel::threadStates(), &kernel::cpuStates(), &kernel::cpuThreadStates()}) {
        if (known->id != id)
            continue;
        set.title = known->title;
        for (StateKind& state : set.states)
            if (const auto found = std::ranges::find(known->states, state.name, &StateKind::name); found != known->states.end())
                state = *found;
    }
    return set;
}
inline StateSet statesNamed(std::string_view id, std::initializer_list<std::string_view> names)
{
    return statesNamed(id, std::span(names.begin(), names.size()));
}

/// Returns a thread state of the kernel analysis by its name.
inline StateKind threadState(std::string_view name) { return statesNamed("thread", {name}).states.front(); }

} // namespace helio::test
