#include "core/query/calls/call_names.h"

#include "core/query/rows/composed.h"
#include "core/query/samples/profile_nodes.h"

#include <algorithm>

namespace helio {

CallNames::CallNames(const Timeline& timeline, std::stop_token stop)
{
    StackProfile profile;
    profile.nodes.emplace_back();
    ProfileNodes nodes(profile);
    // Each different frame is a node without callers: one place is named once, however it was called.
    eachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (std::ranges::none_of(store.segments().kinds(), &SegmentKind::hasFrames))
            return;
        nodes.setStore(index, store.stacks());
        m_byStack.resize(static_cast<std::size_t>(index) + 1);
        auto& byStack = m_byStack.back();
        for (const StackNode& node : store.stacks().nodes())
            if (const auto caller = static_cast<std::size_t>(node.parent()); caller != 0 && node.frame().isReturnAddress)
                byStack.push_back(byStack[caller]);
            else
                byStack.push_back(byStack.empty() ? 0 : nodes.intern(0, node.frame()));
    });
    const StackNames names = nameStacks(profile, timeline, {.expandsInlined = false}, nullptr, std::move(stop));
    for (auto& store : m_byStack)
        for (std::uint32_t& node : store)
            node = node == 0 || names.framesOf(node).empty() ? 0 : static_cast<std::uint32_t>(names.framesOf(node).back().function);
    m_functions = names.functions;
}

std::uint32_t CallNames::indexOf(StoreIndex store, StackId stack) const
{
    const auto at = static_cast<std::size_t>(store);
    const auto place = static_cast<std::size_t>(stack);
    return at < m_byStack.size() && place < m_byStack[at].size() ? m_byStack[at][place] : 0;
}

} // namespace helio
