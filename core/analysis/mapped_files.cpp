#include "core/analysis/mapped_files.h"

#include <algorithm>
#include <tuple>

namespace helio {

MappedFiles::MappedFiles(const Store& store)
    : m_modules(store.modules())
{
    const auto kinds = store.segments().kinds();
    const auto kind = std::ranges::find(kinds, MappingSegments, &SegmentKind::id);
    if (kind == kinds.end())
        return;
    const auto take = [&](std::span<const HostSegment> some) {
        for (const HostSegment& it : some) {
            const auto module = static_cast<std::size_t>(it.value);
            if (module == 0 || module >= m_modules.size() || it.track == NoTrack)
                continue;
            const Module& file = m_modules[module];
            const Track& process = store.tracks()[static_cast<std::size_t>(it.track)];
            m_processes[{pidNamespaceOf(process.key), process.pid}].mappings.push_back(
                {file.begin, file.begin + std::min(file.size, ~std::uint64_t{0} - file.begin), {it.begin, it.end}, ModuleId(module)});
        }
    };
    store.segments().visit(SegmentKindId(static_cast<std::uint8_t>(kind - kinds.begin())), {HostTimestamp::min(), HostTimestamp::max()},
                           take);
    for (auto& [pid, process] : m_processes) {
        std::ranges::sort(process.mappings, {}, &Mapping::begin);
        std::uint64_t highest = 0;
        for (const Mapping& mapping : process.mappings)
            process.highestEnd.push_back(highest = std::max(highest, mapping.end));
    }
}

MappedFiles::Place MappedFiles::find(const ProcessId& id, std::uint64_t address, HostTimestamp at) const
{
    const auto process = m_processes.find(id);
    if (process == m_processes.end())
        return {UnknownModule, address};
    const auto& mappings = process->second.mappings;
    // The best is there at the time; else how far its life lies from it decides, and what comes only later before what is gone.
    const auto distance = [at](const Mapping& it) {
        const bool isLater = it.life.begin > at;
        const bool isGone = it.life.end < at;
        return std::tuple(isLater || isGone, isGone, isLater ? it.life.begin - at : isGone ? at - it.life.end : at - it.life.begin);
    };
    const Mapping* best = nullptr;
    HostTimestamp until = HostTimestamp::max();
    auto i = static_cast<std::size_t>(std::ranges::upper_bound(mappings, address, {}, &Mapping::begin) - mappings.begin());
    for (; i-- > 0 && process->second.highestEnd[i] > address;)
        if (const Mapping& it = mappings[i]; it.end > address) {
            if (it.life.begin > at)
                until = std::min(until, it.life.begin);
            if (!best || distance(it) < distance(*best))
                best = &it;
        }
    if (!best)
        return {UnknownModule, address};
    if (best->life.begin <= at && at <= best->life.end && best->life.end < HostTimestamp::max())
        until = std::min(until, best->life.end + Duration(1));
    return {best->module, address - best->begin, until};
}

} // namespace helio
