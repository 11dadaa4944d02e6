#include "core/event_model/mapped_files.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace helio {

MappingTimeline::MappingTimeline(std::vector<ModuleMapping> all)
    : m_all(std::move(all))
{
    std::erase_if(m_all, [](const ModuleMapping& it) { return it.begin >= it.end; });
    for (const ModuleMapping& it : m_all) {
        m_edges.push_back(it.begin);
        m_edges.push_back(it.end);
    }
    std::ranges::sort(m_edges);
    m_edges.erase(std::unique(m_edges.begin(), m_edges.end()), m_edges.end());
    m_nodes.resize(2 * m_edges.size());
    for (std::uint32_t i = 0; i < m_all.size(); ++i)
        add(i);
    for (Node& it : m_nodes)
        finish(it);
}

/// Adds the mapping to the smallest set of tree nodes that covers its address range.
void MappingTimeline::add(std::uint32_t life)
{
    const auto nodeAt = [&](std::uint64_t edge) {
        return static_cast<std::size_t>(std::ranges::lower_bound(m_edges, edge) - m_edges.begin()) + m_edges.size();
    };
    std::size_t first = nodeAt(m_all[life].begin);
    std::size_t end = nodeAt(m_all[life].end);
    for (; first < end; first /= 2, end /= 2) {
        if (first % 2 == 1)
            m_nodes[first++].byBegin.push_back(life);
        if (end % 2 == 1)
            m_nodes[--end].byBegin.push_back(life);
    }
}

void MappingTimeline::finish(Node& node) const
{
    node.byEnd = node.byBegin;
    std::ranges::stable_sort(node.byBegin, {}, [&](std::uint32_t i) { return m_all[i].life.begin; });
    std::ranges::stable_sort(node.byEnd, {}, [&](std::uint32_t i) { return m_all[i].life.end; });
    const std::size_t leaves = std::bit_ceil(node.byBegin.size());
    node.latest.assign(node.byBegin.empty() ? 0 : 2 * leaves, HostTimestamp::min());
    for (std::size_t i = 0; i < node.byBegin.size(); ++i)
        node.latest[leaves + i] = m_all[node.byBegin[i]].life.end;
    for (std::size_t i = node.latest.empty() ? 0 : leaves; i-- > 1;)
        node.latest[i] = std::max(node.latest[2 * i], node.latest[2 * i + 1]);
}

/// Returns the index of the last mapping that ends at `at` or later, among the first `count` mappings of `tree`.byBegin. Returns nullopt
/// if all of these mappings end before `at`.
std::optional<std::size_t> MappingTimeline::findLastReaching(const Node& tree, std::size_t count, HostTimestamp at)
{
    const auto& latest = tree.latest;
    const std::size_t leaves = latest.size() / 2;
    if (count == 0)
        return {};
    std::size_t node = leaves + count - 1;
    // All mappings below this node end before `at`. Continue with the nearest node on the left: go up while the node is a left child, then
    // to its left sibling.
    while (latest[node] < at) {
        while (node % 2 == 0)
            node /= 2;
        if (node == 1)
            return {};
        --node;
    }
    while (node < leaves)
        node = latest[2 * node + 1] >= at ? 2 * node + 1 : 2 * node;
    return node - leaves;
}

template <typename Take> void MappingTimeline::forEachNode(std::uint64_t address, const Take& take) const
{
    const auto after = static_cast<std::size_t>(std::ranges::upper_bound(m_edges, address) - m_edges.begin());
    if (after == 0)
        return;
    for (std::size_t i = after - 1 + m_edges.size(); i > 0; i /= 2)
        if (!m_nodes[i].byBegin.empty())
            take(m_nodes[i]);
}

const ModuleMapping* MappingTimeline::at(std::uint64_t address, HostTimestamp at) const
{
    const ModuleMapping* best = nullptr;
    forEachNode(address, [&](const Node& node) {
        const auto begun = std::ranges::upper_bound(node.byBegin, at, {}, [&](std::uint32_t i) { return m_all[i].life.begin; });
        const auto there = findLastReaching(node, static_cast<std::size_t>(begun - node.byBegin.begin()), at);
        if (const ModuleMapping* const it = there ? &m_all[node.byBegin[*there]] : nullptr;
            it && (!best || it->life.begin > best->life.begin))
            best = it;
    });
    return best;
}

const ModuleMapping* MappingTimeline::after(std::uint64_t address, HostTimestamp at) const
{
    const ModuleMapping* best = nullptr;
    forEachNode(address, [&](const Node& node) {
        const auto next = std::ranges::upper_bound(node.byBegin, at, {}, [&](std::uint32_t i) { return m_all[i].life.begin; });
        if (next != node.byBegin.end() && (!best || m_all[*next].life.begin < best->life.begin))
            best = &m_all[*next];
    });
    return best;
}

const ModuleMapping* MappingTimeline::before(std::uint64_t address, HostTimestamp at) const
{
    const ModuleMapping* best = nullptr;
    forEachNode(address, [&](const Node& node) {
        const auto end = std::ranges::lower_bound(node.byEnd, at, {}, [&](std::uint32_t i) { return m_all[i].life.end; });
        if (end != node.byEnd.begin() && (!best || m_all[*(end - 1)].life.end > best->life.end))
            best = &m_all[*(end - 1)];
    });
    return best;
}

MappedFiles::MappedFiles(const Store& store)
    : m_modules(store.modules())
{
    const auto kinds = store.segments().kinds();
    const auto kind = std::ranges::find(kinds, MappingSegments, &SegmentKind::id);
    if (kind == kinds.end())
        return;
    std::map<ProcessId, std::vector<ModuleMapping>> lives;
    // Time of the first mapping of each program that a process executed, keyed by process and by the track of the program.
    std::map<ProcessId, std::map<TrackId, HostTimestamp>> programs;
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

MappedFiles::ModuleAddress MappedFiles::find(const ProcessId& id, std::uint64_t address, HostTimestamp at) const
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
    return best ? ModuleAddress{best->module, address - best->begin, until, number} : ModuleAddress{UnknownModule, address, until, number};
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
