#include "core/query/samples/collect_calls.h"

#include "core/base/flat_index.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/host_ranges.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/thread_clock.h"
#include "core/query/segments/call_at.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <map>
#include <set>

namespace helio {
namespace {

constexpr std::string_view OnCpuSuffix = ":cpu";

/// Adds up one store's calls.
class CallCollector {
public:
    CallCollector(const Timeline& timeline, const CallKind& kind, const SampleFilter& filter, ProfileNodes& nodes, StackProfile& profile)
        : m_timeline(timeline)
        , m_kind(kind)
        , m_filter(filter)
        , m_nodes(nodes)
        , m_profile(profile)
        , m_clocks(timeline, {Timestamp::min(), Timestamp::max()})
        , m_firstStack(profile.stacks.size())
    {
    }

    void collect(StoreIndex index, const Store& store, SegmentKindId kind, QueryProgress* progress, const std::stop_token& stop)
    {
        m_store = &store;
        m_storeIndex = index;
        m_threads.clear();
        m_nodes.setStore(index, store.stacks());
        m_counted = HostTimestamp::min();
        for (const HostRange& range : hostRanges(m_filter.ranges, clockOf(m_timeline, index))) {
            const auto take = [&](std::span<const HostSegment> some) {
                for (const HostSegment& call : some)
                    add(call, range);
                if (progress)
                    progress->done += some.size();
            };
            store.segments().visit(kind, range, take, stop);
            m_counted = range.end;
        }
    }

    /// What was taken from callers may be more than they have where a damaged store lost them.
    void finish()
    {
        const auto first = m_profile.stacks.begin() + static_cast<std::ptrdiff_t>(m_firstStack);
        for (auto stack = first; stack != m_profile.stacks.end(); ++stack) {
            stack->weight = static_cast<std::int64_t>(stack->weight) < 0 ? 0 : stack->weight;
            m_profile.weight += stack->weight;
        }
        const auto isNothing = [](const CollectedStack& stack) { return stack.samples == 0 && stack.weight == 0; };
        m_profile.stacks.erase(std::remove_if(first, m_profile.stacks.end(), isNothing), m_profile.stacks.end());
    }

private:
    struct Thread {
        std::uint32_t index = 0; ///< In the profile's threads.
        TrackRef states; ///< The row with its states; not valid: they were not recorded.
        bool isWanted = true;
    };

    static std::uint64_t hashOf(const CollectedStack& stack) { return mixed(stack.node, stack.thread); }

    void add(const HostSegment& call, HostRange range)
    {
        const Thread& thread = threadOf(call);
        if (!thread.isWanted)
            return;
        const ClockTransform& clock = clockOf(m_timeline, m_storeIndex);
        const TimeRange inside = clock(HostRange{std::max(call.begin, range.begin), std::min(call.end, range.end)});
        const Timestamp begin = clock(call.begin);
        if (m_filter.accepts && !m_filter.accepts(thread.states, begin))
            return;
        Duration length = inside.duration();
        if (m_kind.isOnCpu)
            length = thread.states.isValid() ? m_clocks.onCpu(thread.states, inside) : Duration{};
        const auto ns = static_cast<std::uint64_t>(length.count());
        const bool isFirst = m_counted == HostTimestamp::min() || call.begin >= m_counted; // Else an earlier range had it, too.
        const std::uint32_t node = m_nodes.nodeOf(call.stack());
        CollectedStack& own = stackOf(node, thread.index, begin);
        own.weight += ns;
        own.samples += isFirst ? 1 : 0;
        // The caller's time is the rest: its own length was added, or will be.
        if (const std::uint32_t caller = m_profile.nodes[node].parent; caller != 0)
            stackOf(caller, thread.index, begin).weight -= ns;
        m_profile.samples += isFirst ? 1 : 0;
        m_profile.range = m_profile.range.isEmpty()
            ? inside
            : TimeRange{std::min(m_profile.range.begin, inside.begin), std::max(m_profile.range.end, inside.end)};
    }

    const Thread& threadOf(const HostSegment& call)
    {
        const TrackId track = threadTrack(*m_store, call.track);
        const auto [it, isNew] = m_threads.try_emplace(track);
        if (!isNew)
            return it->second;
        SampledThread thread;
        thread.trace = traceOf(m_timeline, m_storeIndex);
        thread.host = m_timeline.traces[thread.trace].host;
        if (track != NoTrack) {
            const Track& of = m_store->tracks()[static_cast<std::size_t>(track)];
            thread.pid = of.pid;
            thread.tid = of.tid;
            thread.comm = of.label;
            it->second.states = m_clocks.rowOf(thread.host, of.tid, clockOf(m_timeline, m_storeIndex)(call.begin));
        }
        const TrackRef own{m_storeIndex, track};
        thread.ref = it->second.states.isValid() ? it->second.states : own;
        it->second.isWanted = choosesCallsOf(m_timeline, m_filter, own);
        it->second.index = static_cast<std::uint32_t>(m_profile.threads.size());
        m_profile.threads.push_back(std::move(thread));
        return it->second;
    }

    CollectedStack& stackOf(std::uint32_t node, std::uint32_t thread, Timestamp begin)
    {
        CollectedStack key;
        key.node = node;
        key.thread = thread;
        key.first = begin;
        const std::uint32_t index = m_index.findOrAdd(hashOf(key), [&](std::uint32_t i) {
            const CollectedStack& other = m_profile.stacks[m_firstStack + i];
            return other.node == node && other.thread == thread;
        });
        if (m_firstStack + index == m_profile.stacks.size())
            m_profile.stacks.push_back(key);
        CollectedStack& stack = m_profile.stacks[m_firstStack + index];
        stack.first = std::min(stack.first, begin);
        return stack;
    }

    const Timeline& m_timeline;
    const CallKind& m_kind;
    const SampleFilter& m_filter;
    ProfileNodes& m_nodes;
    StackProfile& m_profile;
    ThreadClocks m_clocks;
    const Store* m_store = nullptr; ///< Whose calls are collected.
    StoreIndex m_storeIndex{};
    HostTimestamp m_counted; ///< Where the range before ended: what began before that was counted with it.
    const std::size_t m_firstStack; ///< Of these calls, in the profile.
    std::map<TrackId, Thread> m_threads; ///< Of that store.
    FlatIndex m_index; ///< Of those stacks.
};

bool hasKnownStates(const Timeline& timeline)
{
    return std::ranges::any_of(threads(timeline), [&](const Row& row) {
        return std::ranges::any_of(statesOf(timeline, row.ref).states, [](const StateKind& state) { return isOnCpu(state.meaning); });
    });
}

} // namespace

bool choosesCallsOf(const Timeline& timeline, const SampleFilter& filter, TrackRef thread)
{
    if (filter.threads.empty() && filter.processes.empty())
        return true;
    const auto hostOf = [&](TrackRef ref) { return timeline.traces[traceOf(timeline, ref.store)].host; };
    const Track* const own = trackOf(timeline, thread);
    const auto isIt = [&](TrackRef ref, std::int32_t Track::*number) {
        const Track* const named = trackOf(timeline, ref);
        return ref == thread || (named && own && named->*number >= 0 && named->*number == own->*number && hostOf(ref) == hostOf(thread));
    };
    return std::ranges::any_of(filter.threads, [&](TrackRef ref) { return isIt(ref, &Track::tid); })
        || std::ranges::any_of(filter.processes, [&](TrackRef ref) { return isIt(ref, &Track::pid); });
}

std::vector<CallKind> callKinds(const Timeline& timeline)
{
    std::vector<CallKind> all;
    for (const SegmentKind& kind : segmentKinds(timeline)) {
        if (!kind.areCalls)
            continue;
        CallKind calls;
        calls.segments = kind.id;
        calls.facts.kind.name = kind.id;
        calls.facts.kind.unit = "ns";
        calls.facts.kind.origin = SampleKind::Origin::Called;
        calls.facts.kind.isTime = true;
        calls.facts.kind.leastWeight = 0;
        calls.facts.kind.mostWeight = UINT64_MAX;
        calls.facts.title = kind.title + ", wall time";
        calls.facts.samples = segmentSum(timeline, kind.id).count;
        all.push_back(calls);
        if (!hasKnownStates(timeline))
            continue;
        calls.isOnCpu = true;
        calls.facts.kind.name += OnCpuSuffix;
        calls.facts.title = kind.title + ", CPU time";
        all.push_back(calls);
    }
    return all;
}

std::optional<CallKind> callKind(const Timeline& timeline, std::string_view name)
{
    for (CallKind& kind : callKinds(timeline))
        if (kind.facts.kind.name == name)
            return std::move(kind);
    return {};
}

void collectCalls(const Timeline& timeline, const CallKind& kind, const SampleFilter& filter, ProfileNodes& nodes, StackProfile& profile,
                  QueryProgress* progress, std::stop_token stop)
{
    if (progress)
        progress->total += kind.facts.samples;
    CallCollector collector(timeline, kind, filter, nodes, profile);
    eachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto kinds = store.segments().kinds();
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (kinds[i].id == kind.segments && kinds[i].areCalls)
                collector.collect(index, store, SegmentKindId(static_cast<std::uint8_t>(i)), progress, stop);
    });
    collector.finish();
}

} // namespace helio
