#include "core/profiling/heap/heap_use.h"

#include "core/base/wide_sum.h"
#include "core/event_model/thread_fields.h"
#include "core/profiling/calls/call_names.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/timeline_access.h"
#include "core/trace/process/recorded_names.h"

#include <queue>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace helio {
namespace {

/// Code that uses memory: a function or a source line, according to HeapGrouping.
struct AllocationSite {
    std::string function;
    std::string module;
    std::string file;
    std::uint32_t line = 0;
    auto operator<=>(const AllocationSite&) const = default;
};

/// Assigns numbers to the functions or source lines of allocation stacks.
/// Threads: to be used by one thread, but not the UI thread, because symbols are read.
class AllocationSites {
public:
    AllocationSites(const Timeline& timeline, HeapGrouping grouping);

    /// Returns the index (see at()) of the function or source line that allocated with this stack. The same code has the same index in all
    /// stores.
    /// Cost: a lookup; more for stacks that were not looked up before.
    std::uint32_t indexOf(StoreIndex store, StackId stack);
    const AllocationSite& at(std::uint32_t index) const { return *m_places[index]; }

private:
    AllocationSite placeOf(StoreIndex store, StackId stack) const;
    AllocationSite functionOf(StoreIndex store, StackId stack) const;
    AllocationSite lineOf(StoreIndex store, StackId stack) const;

    const Timeline& m_timeline;
    HeapGrouping m_grouping;
    std::optional<CallNames> m_names; ///< Names of functions; set if the grouping needs functions.
    std::map<AllocationSite, std::uint32_t> m_indices;
    /// Allocation sites, indexed by the values of m_indices; pointers to the keys of m_indices.
    std::vector<const AllocationSite*> m_places;
    std::map<std::pair<StoreIndex, StackId>, std::uint32_t> m_byStack;
};

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

/// Sums up the heap segments by process and code.
class HeapSums {
public:
    HeapSums(const Timeline& timeline, HeapGrouping grouping, const HeapFilter& filter, std::stop_token stop)
        : m_timeline(timeline)
        , m_filter(filter)
        , m_stop(std::move(stop))
        , m_places(timeline, grouping)
    {
    }

    std::vector<HeapUse> take()
    {
        addBlocks();
        addMoments(UnfreedBlocks, [](Group& group, const Segment& block) {
            if (group.use.unfreed++ == 0) {
                group.use.unfreedRow = block.row();
                group.use.unfreedAt = block.range.begin;
            }
            group.unfreedBytes.add(static_cast<std::uint64_t>(std::max<std::int64_t>(block.recorded.value, 0)));
        });
        addMoments(FreedBlocks, [](Group& group, const Segment&) { ++group.use.frees; });
        addMoments(DoubleFrees, [](Group& group, const Segment&) { ++group.use.doubleFrees; });
        addMoments(UnknownFrees, [](Group& group, const Segment&) { ++group.use.unknownFrees; });
        std::vector<HeapUse> all;
        for (Group& group : m_groups) {
            group.use.bytes = group.bytes.value();
            group.use.unfreedBytes = group.unfreedBytes.value();
            all.push_back(std::move(group.use));
        }
        return all;
    }

private:
    struct Group {
        HeapUse use;
        WideSum bytes;
        WideSum unfreedBytes;
        WideSum inUse; ///< Bytes in use at the current position, while blocks are visited in time order.
    };
    struct Process {
        std::uint32_t trace = 0;
        std::int32_t pid = -1;
        std::string name;
    };
    struct InUse {
        Timestamp end;
        std::size_t group = 0; ///< Index into m_groups of the group that allocated the block.
        std::uint64_t bytes = 0;
        bool operator>(const InUse& other) const { return end > other.end; }
    };

    void addBlocks()
    {
        std::priority_queue<InUse, std::vector<InUse>, std::greater<>> inUse;
        each(AllocatedBlocks, [&](const Segment& block) {
            for (; !inUse.empty() && inUse.top().end <= block.range.begin; inUse.pop())
                m_groups[inUse.top().group].inUse.remove(inUse.top().bytes);
            const std::size_t index = groupOf(block);
            Group& group = m_groups[index];
            const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(block.recorded.value, 0));
            group.inUse.add(bytes);
            inUse.push({block.range.end, index, bytes});
            group.use.peak = std::max(group.use.peak, group.inUse.value());
            if (block.range.begin < m_filter.window.begin)
                return;
            ++group.use.allocations;
            group.bytes.add(bytes);
            group.use.largest = std::max(group.use.largest, block.recorded.value);
        });
    }

    template <typename Add> void addMoments(std::string_view kind, const Add& add)
    {
        each(kind, [&](const Segment& it) {
            if (it.range.begin >= m_filter.window.begin)
                add(m_groups[groupOf(it)], it);
        });
    }

    template <typename Take> void each(std::string_view kind, const Take& take)
    {
        const auto takeAccepted = [&](const Segment& it) {
            if (!m_filter.accepts || m_filter.accepts(it))
                take(it);
        };
        forEachSegment(m_timeline, kind, m_filter.window, takeAccepted, m_stop);
    }

    std::size_t groupOf(const Segment& segment)
    {
        const std::uint32_t process = processOf(segment);
        const std::uint32_t place = m_places.indexOf(segment.store, segment.recorded.stack());
        const auto [it, isNew] = m_index.try_emplace({process, place}, m_groups.size());
        if (isNew) {
            HeapUse& use = m_groups.emplace_back().use;
            std::tie(use.trace, use.pid, use.process) =
                std::tie(m_processes[process].trace, m_processes[process].pid, m_processes[process].name);
            const AllocationSite& of = m_places.at(place);
            std::tie(use.function, use.module, use.file, use.line) = std::tie(of.function, of.module, of.file, of.line);
        }
        return it->second;
    }

    /// Returns the index of a segment's process. A process is named after its first thread that allocated or freed memory.
    std::uint32_t processOf(const Segment& segment)
    {
        const auto [known, isNewTrack] = m_byTrack.try_emplace(segment.row());
        if (!isNewTrack)
            return known->second;
        const Track* const track = trackOf(m_timeline, segment.row());
        Process process{traceOf(m_timeline, segment.store), track ? track->pid : -1, track ? track->label : std::string()};
        const auto [it, isNew] = m_byPid.try_emplace({process.trace, {track ? pidNamespaceOf(track->key) : 0, process.pid}},
                                                     static_cast<std::uint32_t>(m_processes.size()));
        if (isNew)
            m_processes.push_back(std::move(process));
        return known->second = it->second;
    }

    const Timeline& m_timeline;
    const HeapFilter& m_filter;
    std::stop_token m_stop;
    AllocationSites m_places;
    std::vector<Group> m_groups;
    /// Index into m_groups, keyed by the index of the process in m_processes and the index of the allocation site in m_places.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> m_index;
    std::vector<Process> m_processes;
    std::map<std::pair<std::uint32_t, ProcessId>, std::uint32_t> m_byPid; ///< Index into m_processes, keyed by trace and process.
    std::map<TrackRef, std::uint32_t> m_byTrack;
};

} // namespace

bool hasHeap(const Timeline& timeline) { return findSegmentKind(timeline, AllocatedBlocks).has_value(); }

std::vector<HeapUse> heapUses(const Timeline& timeline, HeapGrouping grouping, const HeapFilter& filter, std::stop_token stop)
{
    return HeapSums(timeline, grouping, filter, std::move(stop)).take();
}

} // namespace helio
