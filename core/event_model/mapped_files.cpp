#include "core/event_model/mapped_files.h"

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
    std::map<ProcessId, std::vector<ModuleMapping>> lives;
    std::map<ProcessId, std::map<TrackId, HostTimestamp>> programs; // Beginning of each program.
    const auto take = [&](std::span<const HostSegment> some) {
        for (const HostSegment& it : some) {
            const auto module = static_cast<std::size_t>(it.value);
            if (module == 0 || module >= m_modules.size() || it.track == NoTrack)
                continue;
            const Module& file = m_modules[module];
            const Track& process = store.tracks()[static_cast<std::size_t>(it.track)];
            const ProcessId id{pidNamespaceOf(process.key), process.pid};
            lives[id].push_back(
                {file.begin, file.begin + std::min(file.size, ~std::uint64_t{0} - file.begin), {it.begin, it.end}, ModuleId(module)});
            const auto begin = programs[id].try_emplace(it.track, it.begin).first;
            begin->second = std::min(begin->second, it.begin);
        }
    };
    store.segments().visit(SegmentKindId(static_cast<std::uint8_t>(kind - kinds.begin())), {HostTimestamp::min(), HostTimestamp::max()},
                           take);
    for (auto& [id, all] : lives) {
        Process& process = m_processes[id];
        process.lives = MappingTimeline(std::move(all));
        for (const auto& [track, begin] : programs[id])
            process.programs.push_back(begin);
        std::ranges::sort(process.programs);
        process.programs.erase(process.programs.begin());
    }
}

MappedFiles::Place MappedFiles::find(const ProcessId& id, std::uint64_t address, HostTimestamp at) const
{
    const auto process = m_processes.find(id);
    if (process == m_processes.end())
        return {UnknownModule, address};
    const auto& [lives, programs] = process->second;
    const auto nextProgram = std::ranges::upper_bound(programs, at);
    const HostTimestamp program = nextProgram == programs.begin() ? HostTimestamp::min() : *(nextProgram - 1);
    const auto isOfProgram = [&](const ModuleMapping* it) { return it && (it->life.end > program || it->life.begin >= program); };
    const ModuleMapping* const next = lives.after(address, at);
    const ModuleMapping* const there = lives.at(address, at);
    const ModuleMapping* const gone = lives.before(address, at);
    const ModuleMapping* const best = isOfProgram(there) ? there : next ? next : isOfProgram(gone) ? gone : nullptr;
    HostTimestamp until = nextProgram == programs.end() ? HostTimestamp::max() : *nextProgram;
    if (next)
        until = std::min(until, next->life.begin);
    if (there && there->life.end < HostTimestamp::max())
        until = std::min(until, there->life.end + Duration(1));
    const auto ofBest = best ? std::ranges::upper_bound(programs, best->life.begin) : nextProgram;
    const auto number = static_cast<std::uint32_t>(std::max(ofBest, nextProgram) - programs.begin());
    return best ? Place{best->module, address - best->begin, until, number} : Place{UnknownModule, address, until, number};
}

std::uint32_t MappedFiles::programAt(const ProcessId& id, HostTimestamp at) const
{
    const auto process = m_processes.find(id);
    if (process == m_processes.end())
        return 0;
    const auto& programs = process->second.programs;
    return static_cast<std::uint32_t>(std::ranges::upper_bound(programs, at) - programs.begin());
}

HostTimestamp MappedFiles::programEnd(const ProcessId& id, std::uint32_t program) const
{
    const auto process = m_processes.find(id);
    const bool isLast = process == m_processes.end() || program >= process->second.programs.size();
    return isLast ? HostTimestamp::max() : process->second.programs[program];
}

} // namespace helio
