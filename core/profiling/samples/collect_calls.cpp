#include "core/profiling/samples/collect_calls.h"

#include "core/base/flat_index.h"
#include "core/event_model/thread_fields.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/state_times.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace helio {
namespace {

using WeighedTime = CallKind::WeighedTime;

struct Way {
    WeighedTime weighs;
    const char* suffix; ///< Suffix of the kind's name, for example ":cpu".
    const char* words; ///< Suffix of the kind's title in the window, for example ", CPU time".
};
constexpr Way Ways[] = {
    {WeighedTime::Length, "", ", wall time"},
    {WeighedTime::OnCpu, ":cpu", ", CPU time"},
    {WeighedTime::Ran, ":ran", ", CPU time without steal time"},
    {WeighedTime::States, ":states", ", by state"},
};

using Stolen = ThreadCpuTimes::Stolen;

Stolen stolenIn(WeighedTime weighs)
{
    return weighs == WeighedTime::Ran || weighs == WeighedTime::States ? Stolen::LeftOut : Stolen::AsRecorded;
}

/// Collects the calls of one store into the profile.
class CallCollector {
public:
    CallCollector(const Timeline& timeline, const CallKind& kind, const SampleFilter& filter, ProfileNodes& nodes, StackProfile& profile,
                  std::stop_token stop)
        : m_timeline(timeline)
        , m_kind(kind)
        , m_filter(filter)
        , m_nodes(nodes)
        , m_profile(profile)
        , m_clocks(timeline, {Timestamp::min(), Timestamp::max()}, stop, stealTimeOf(kind))
        , m_firstStack(profile.stacks.size())
        , m_stop(std::move(stop))
    {
    }

    void collect(StoreIndex index, const Store& store, SegmentKindId kind, QueryProgress* progress)
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
            store.segments().visit(kind, range, take, m_stop);
            m_counted = range.end;
        }
    }

    /// Finishes the stacks. Negative weights become 0: if a damaged store lost callers, more time may have been subtracted from a caller
    /// than it has.
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
    /// Indices of the texts of a state and its value in StackProfile::texts.
    struct StateTexts {
        std::uint32_t state = 0;
        std::uint32_t value = 0; ///< Index of the text for the state's value; 0 if the state has no value.
    };
    struct Thread {
        std::uint32_t index = 0; ///< Index of the thread in StackProfile::threads.
        TrackRef states; ///< Row of the thread's states; invalid if states were not recorded.
        bool isWanted = true;
        std::optional<StateTimes> times; ///< Times of the states in `states`; computed on demand.
        std::map<std::pair<State, std::uint32_t>, StateTexts> texts; ///< Texts of the states and values found so far.
    };

    static std::uint64_t hashOf(const CollectedStack& stack) { return mixed(stack.node, stack.thread); }

    void add(const HostSegment& call, HostRange range)
    {
        Thread& thread = threadOf(call);
        if (!thread.isWanted)
            return;
        const ClockTransform& clock = clockOf(m_timeline, m_storeIndex);
        const TimeRange inside = clock(HostRange{std::max(call.begin, range.begin), std::min(call.end, range.end)});
        const Timestamp begin = clock(call.begin);
        if (m_filter.accepts && !m_filter.accepts(m_profile.threads[thread.index].ref, begin))
            return;
        // False if the call was already counted in an earlier range.
        const bool isFirst = m_counted == HostTimestamp::min() || call.begin >= m_counted;
        const std::uint32_t node = m_nodes.nodeOf(call.stack());
        stackOf(node, thread.index, begin).samples += isFirst ? 1 : 0;
        // Weights are times without callees, so subtract the call's time from its caller. The caller's own time is added when its call is
        // visited, which may be later; the unsigned weight wraps around until then.
        const std::uint32_t caller = m_profile.nodes[node].parent;
        weigh(thread, inside, [&](Duration time, const StateTexts& state) {
            const auto ns = static_cast<std::uint64_t>(time.count());
            stackOf(below(node, state), thread.index, begin).weight += ns;
            if (caller != 0)
                stackOf(below(caller, state), thread.index, begin).weight -= ns;
        });
        m_profile.samples += isFirst ? 1 : 0;
        m_profile.range = m_profile.range.isEmpty()
            ? inside
            : TimeRange{std::min(m_profile.range.begin, inside.begin), std::max(m_profile.range.end, inside.end)};
    }

    /// Calls `take` with the time in the range that the kind of calls counts: the whole duration, the time on a CPU, or the time in each
    /// state, with the state.
    template <typename Take> void weigh(Thread& thread, TimeRange range, const Take& take)
    {
        if (m_kind.weighs == WeighedTime::Length)
            return take(range.duration(), StateTexts());
        if (m_kind.weighs == WeighedTime::OnCpu || m_kind.weighs == WeighedTime::Ran)
            return take(thread.states.isValid() ? m_clocks.onCpu(thread.states, range) : Duration{}, StateTexts());
        if (!thread.times)
            thread.times.emplace(m_timeline, m_clocks.stateRowOf(thread.states), m_stop);
        Duration rest = range.duration();
        thread.times->visit(range, [&](State state, std::uint32_t value, Duration time) {
            rest -= time;
            take(time, textsOf(thread, state, value));
        });
        if (rest > Duration::zero())
            take(rest, {textOf(stateThatMeans(m_timeline, m_clocks.stateRowOf(thread.states), StateCategory::Unknown)), 0});
    }

    const StateTexts& textsOf(Thread& thread, State state, std::uint32_t value)
    {
        const auto [known, isNew] = thread.texts.try_emplace({state, value});
        if (isNew) {
            const TrackRef row = m_clocks.stateRowOf(thread.states);
            const std::string text = valueText(m_timeline, row, value);
            known->second = {textOf(stateKind(m_timeline, row, state)), text.empty() ? 0 : m_nodes.textOf(text)};
        }
        return known->second;
    }

    std::uint32_t textOf(const StateKind& state) { return m_nodes.textOf(state.name, state.style.color); }

    /// Returns the node of a state below a function's node; the function's node if `state` is empty.
    std::uint32_t below(std::uint32_t node, const StateTexts& state)
    {
        if (state.state == 0)
            return node;
        const std::uint32_t below = m_nodes.internText(node, state.state);
        return state.value == 0 ? below : m_nodes.internText(below, state.value);
    }

    Thread& threadOf(const HostSegment& call)
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
            thread.comm = thread.lastName = of.label;
        }
        const TrackRef own{m_storeIndex, track};
        it->second.states = m_clocks.rowOf(own, clockOf(m_timeline, m_storeIndex)(HostRange{call.begin, call.end}));
        thread.ref = it->second.states.isValid() ? it->second.states : own;
        it->second.isWanted = selectsCallsOf(m_timeline, m_filter, own);
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
    ThreadCpuTimes m_clocks;
    const Store* m_store = nullptr; ///< Store that contains the calls that are being collected.
    StoreIndex m_storeIndex{};
    HostTimestamp m_counted; ///< End of the filter's previous range; calls that begin before it were already counted.
    const std::size_t m_firstStack; ///< Index in the profile of the first stack of this store.
    const std::stop_token m_stop;
    std::map<TrackId, Thread> m_threads; ///< Threads of m_store by track.
    FlatIndex m_index; ///< Hash index of the stacks from m_firstStack on.
};

} // namespace

bool selectsCallsOf(const Timeline& timeline, const SampleFilter& filter, TrackRef thread)
{
    if (filter.threads.empty() && filter.processes.empty())
        return true;
    const auto hostOf = [&](TrackRef ref) { return timeline.traces[traceOf(timeline, ref.store)].host; };
    const Track* const own = trackOf(timeline, thread);
    const auto isIt = [&](TrackRef ref, std::int32_t Track::*number) {
        const Track* const named = trackOf(timeline, ref);
        return ref == thread
            || (named && own && named->*number >= 0 && named->*number == own->*number && hostOf(ref) == hostOf(thread)
                && pidNamespaceOf(named->key) == pidNamespaceOf(own->key));
    };
    return std::ranges::any_of(filter.threads, [&](TrackRef ref) { return isIt(ref, &Track::tid); })
        || std::ranges::any_of(filter.processes, [&](TrackRef ref) { return isIt(ref, &Track::pid); });
}

std::vector<CallKind> callKinds(const Timeline& timeline)
{
    std::vector<CallKind> all;
    const std::vector<SegmentKind> segments = segmentKinds(timeline);
    const bool hasCpuTimes = std::ranges::any_of(segments, &SegmentKind::areCalls) && !tracesWithCpuTimes(timeline).empty();
    for (const SegmentKind& kind : segments) {
        if (!kind.areCalls)
            continue;
        CallKind calls;
        calls.segments = kind.id;
        calls.facts.kind.unit = "ns";
        calls.facts.kind.origin = SampleKind::Origin::Called;
        calls.facts.kind.isTime = true;
        calls.facts.kind.leastWeight = 0;
        calls.facts.kind.mostWeight = UINT64_MAX;
        calls.facts.samples = segmentSum(timeline, kind.id).count;
        for (const Way& way : Ways) {
            if (way.weighs != WeighedTime::Length && !hasCpuTimes)
                break;
            if (way.weighs == WeighedTime::Ran && guestRowPairs(timeline).empty())
                continue;
            calls.weighs = way.weighs;
            calls.facts.kind.name = kind.id + way.suffix;
            calls.facts.title = kind.title + way.words;
            all.push_back(calls);
        }
    }
    return all;
}

bool mayExcludeStealTime(std::string_view name)
{
    return std::ranges::any_of(Ways, [&](const Way& way) { return stolenIn(way.weighs) == Stolen::LeftOut && name.ends_with(way.suffix); });
}

ThreadCpuTimes::Stolen stealTimeOf(const CallKind& kind) { return stolenIn(kind.weighs); }

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
    CallCollector collector(timeline, kind, filter, nodes, profile, std::move(stop));
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto kinds = store.segments().kinds();
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (kinds[i].id == kind.segments && kinds[i].areCalls)
                collector.collect(index, store, SegmentKindId(static_cast<std::uint8_t>(i)), progress);
    });
    collector.finish();
}

} // namespace helio
