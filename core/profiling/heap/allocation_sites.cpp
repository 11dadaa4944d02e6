#include "core/profiling/heap/allocation_sites.h"

#include "core/query/rows/frame_text.h"
#include "core/query/rows/timeline_access.h"
#include "core/trace/process/recorded_names.h"

#include <utility>

namespace helio {

AllocationSites::AllocationSites(const Timeline& timeline, HeapGrouping grouping)
    : m_timeline(timeline)
    , m_grouping(grouping)
{
    if (grouping == HeapGrouping::Function || grouping == HeapGrouping::FunctionLine)
        m_names.emplace(timeline);
}

std::uint32_t AllocationSites::indexOf(StoreIndex store, StackId stack)
{
    const auto [known, isNewStack] = m_byStack.try_emplace({store, stack});
    if (isNewStack) {
        const auto [place, isNew] = m_indices.try_emplace(placeOf(store, stack), static_cast<std::uint32_t>(m_places.size()));
        if (isNew)
            m_places.push_back(&place->first);
        known->second = place->second;
    }
    return known->second;
}

AllocationSite AllocationSites::placeOf(StoreIndex store, StackId stack) const
{
    switch (m_grouping) {
    case HeapGrouping::Function: return functionOf(store, stack);
    case HeapGrouping::Line: return lineOf(store, stack);
    case HeapGrouping::FunctionLine: {
        AllocationSite place = functionOf(store, stack);
        AllocationSite line = lineOf(store, stack);
        place.file = std::move(line.file);
        place.line = line.line;
        return place;
    }
    case HeapGrouping::Process: break;
    }
    return {};
}

AllocationSite AllocationSites::functionOf(StoreIndex store, StackId stack) const
{
    const SampledFunction& function = m_names->functionOf(store, stack);
    return {function.name.empty() ? function.place : function.name, function.module, {}, 0};
}

AllocationSite AllocationSites::lineOf(StoreIndex store, StackId stack) const
{
    const auto nodes = storeAt(m_timeline, store).stacks().nodes();
    if (stack == NoStack || static_cast<std::size_t>(stack) >= nodes.size())
        return {};
    const StackFrame frame = nodes[static_cast<std::size_t>(stack)].frame();
    const Module* const module = moduleAt(m_timeline, store, frame.module);
    if (!module || module->kind == Module::Kind::Unknown)
        return {};
    if (module->names) {
        const RecordedName name = module->names->at(frame.address);
        return {std::string(name.function), shortName(*module), std::string(name.file), name.line};
    }
    const std::uint64_t address = frame.address - (frame.isReturnAddress && frame.address > 0 ? 1 : 0);
    const Symbol symbol = m_timeline.symbolizer ? m_timeline.symbolizer->resolve(*module, address) : Symbol();
    if (symbol.frames.empty())
        return {placeIn(*module, shortName(*module), address), shortName(*module), {}, 0};
    const SymbolFrame& innermost = symbol.frames.front();
    return {innermost.function, shortName(*module), innermost.source.file, innermost.source.line};
}

} // namespace helio
