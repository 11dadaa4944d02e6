#include "core/analysis/mapped_files.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace helio {

MappedFiles::MappedFiles(const Store& store)
    : m_modules(store.modules())
{
    const auto kinds = store.segments().kinds();
    const auto kind = std::ranges::find(kinds, MappingSegments, &SegmentKind::id);
    if (kind == kinds.end())
        return;
    std::map<ProcessId, std::vector<MappedLife>> lives;
    const auto take = [&](std::span<const HostSegment> some) {
        for (const HostSegment& it : some) {
            const auto module = static_cast<std::size_t>(it.value);
            if (module == 0 || module >= m_modules.size() || it.track == NoTrack)
                continue;
            const Module& file = m_modules[module];
            const Track& process = store.tracks()[static_cast<std::size_t>(it.track)];
            lives[{pidNamespaceOf(process.key), process.pid}].push_back(
                {file.begin, file.begin + std::min(file.size, ~std::uint64_t{0} - file.begin), {it.begin, it.end}, ModuleId(module)});
        }
    };
    store.segments().visit(SegmentKindId(static_cast<std::uint8_t>(kind - kinds.begin())), {HostTimestamp::min(), HostTimestamp::max()},
                           take);
    for (auto& [id, all] : lives)
        m_processes.emplace(id, std::move(all));
}

MappedFiles::Place MappedFiles::find(const ProcessId& id, std::uint64_t address, HostTimestamp at) const
{
    const auto process = m_processes.find(id);
    if (process == m_processes.end())
        return {UnknownModule, address};
    const MappedLives& lives = process->second;
    const MappedLife* const next = lives.after(address, at);
    const MappedLife* const there = lives.at(address, at);
    const MappedLife* const best = there ? there : next ? next : lives.before(address, at);
    if (!best)
        return {UnknownModule, address};
    HostTimestamp until = next ? next->life.begin : HostTimestamp::max();
    if (there && there->life.end < HostTimestamp::max())
        until = std::min(until, there->life.end + Duration(1));
    return {best->module, address - best->begin, until};
}

} // namespace helio
