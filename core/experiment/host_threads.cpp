#include "core/experiment/host_threads.h"

#include "core/event_model/event_ticks.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace helio {
namespace {

constexpr std::size_t MostEvents = 8; ///< Number of events to examine at the start and at the end of a thread.
/// Minimum number of events that identify a thread without a state dump. All these events must be on CPUs that ran the same thread.
constexpr std::size_t ProvingEvents = 4;

/// Returns the names of a thread, from its name tracks.
std::vector<std::string> namesOf(const Store& store, TrackId thread)
{
    std::vector<std::string> names;
    for (const TrackId child : store.childrenOf(thread)) {
        if (store.tracks()[static_cast<std::size_t>(child)].role != TrackRole::Name)
            continue;
        for (const HostInterval& name : store.intervals(child, {HostTimestamp::min(), HostTimestamp::max()}))
            names.emplace_back(store.text(static_cast<StringId>(name.value)));
    }
    return names;
}

/// Queries about the threads of a kernel trace.
class KernelThreads {
public:
    KernelThreads(const TimelineTrace& trace, const Store& store)
        : m_clock(trace.clock)
        , m_store(store)
    {
    }

    /// Returns the TID of the thread on a CPU at a time; 0 if the CPU was idle, nullopt if unknown.
    std::optional<std::int32_t> threadOn(std::int32_t cpu, Timestamp at) const
    {
        const auto rows = m_store.tracksOf(TrackRole::CpuThread, cpu);
        if (rows.empty())
            return {};
        const auto found = m_store.intervalAt(rows.front(), m_clock.inverse(at));
        if (found.empty())
            return {};
        const Track& row = m_store.tracks()[static_cast<std::size_t>(rows.front())];
        const StateCategory meaning =
            m_store.stateSets()[static_cast<std::size_t>(row.states)].states[static_cast<std::size_t>(found.front().state)].meaning;
        if (meaning == StateCategory::Unknown)
            return {};
        const std::size_t thread = found.front().value;
        return isOnCpu(meaning) && thread < m_store.tracks().size() ? m_store.tracks()[thread].tid : 0;
    }

    /// Returns the host TIDs of the threads that have TID `number` in the PID namespace, according to state dumps. Namespace 0 means any
    /// namespace.
    std::vector<std::int32_t> hostTidsOf(std::int32_t number, std::uint32_t pidNamespace) const
    {
        std::vector<std::int32_t> tids;
        for (const TrackId id : m_store.tracksOf(TrackRole::NamespaceTid, number))
            if (const Track& track = m_store.tracks()[static_cast<std::size_t>(id)];
                pidNamespace == 0 || pidNamespaceOf(track.key) == pidNamespace)
                tids.push_back(m_store.tracks()[static_cast<std::size_t>(track.parent)].tid);
        return tids;
    }

    /// Returns the names of all threads with this TID; empty if no such thread exists or none has a name.
    std::vector<std::string> names(std::int32_t tid) const
    {
        std::vector<std::string> names;
        for (const TrackId thread : m_store.tracksOf(TrackRole::Thread, tid))
            std::ranges::move(namesOf(m_store, thread), std::back_inserter(names));
        return names;
    }

private:
    const ClockTransform& m_clock;
    const Store& m_store;
};

/// Event counts of one thread. Each event counts for the TID of the thread that ran on the event's CPU at the event's time, according to
/// the kernel trace.
struct Votes {
    std::map<std::int32_t, std::size_t> byTid{};
    std::size_t all = 0;

    /// Returns the TID on which at least seven of eight events agree; nullopt if they do not. Single events may differ, because an event
    /// may occur while its thread moves to another CPU.
    std::optional<std::int32_t> one() const
    {
        const auto most = std::ranges::max_element(byTid, {}, [](const auto& vote) { return vote.second; });
        return most != byTid.end() && most->second * 8 >= all * 7 ? std::optional(most->first) : std::nullopt;
    }
    bool areMostlyFor(std::int32_t tid) const
    {
        const auto found = byTid.find(tid);
        return found != byTid.end() && found->second * 2 > all;
    }
};

class HostThreadFinder {
public:
    HostThreadFinder(const Timeline& timeline, std::uint32_t trace)
        : m_timeline(timeline)
        , m_trace(trace)
    {
        for (const TimelineStore& it : timeline.stores)
            if (it.store && !it.isFromCorrelator && it.trace != trace && timeline.traces[it.trace].host == timeline.traces[trace].host
                && std::ranges::any_of(it.store->tracks(), [](const Track& track) { return track.role == TrackRole::CpuThread; }))
                m_kernels.emplace_back(timeline.traces[it.trace], *it.store);
    }

    ThreadNumbers find() const
    {
        ThreadNumbers found;
        if (m_kernels.empty())
            return found;
        for (const TimelineStore& it : m_timeline.stores) {
            if (!it.store || it.isFromCorrelator || it.trace != m_trace)
                continue;
            for (const Track& ticks : it.store->tracks())
                if (ticks.role == TrackRole::Events && static_cast<std::size_t>(ticks.parent) < it.store->tracks().size())
                    add(*it.store, ticks, found);
        }
        return found;
    }

private:
    void add(const Store& store, const Track& ticks, ThreadNumbers& found) const
    {
        const Track& thread = store.tracks()[static_cast<std::size_t>(ticks.parent)];
        if (thread.role != TrackRole::Thread || thread.tid <= 0)
            return;
        const NumberedThread id{m_trace, pidNamespaceOf(thread.key), thread.tid};
        const auto own = static_cast<TrackId>(&ticks - store.tracks().data());
        const auto tid = hostTid(id, votesOf(store, own), namesOf(store, ticks.parent));
        if (tid.value_or(-1) != (id.pidNamespace == 0 ? id.tid : -1))
            found.emplace(id, tid.value_or(-1));
    }

    Votes votesOf(const Store& store, TrackId ticks) const
    {
        Votes votes;
        const auto vote = [&](const HostInterval& tick) {
            const std::int32_t cpu = cpuOfTick(tick.value);
            if (cpu < 0)
                return;
            for (const KernelThreads& kernel : m_kernels)
                if (const auto tid = kernel.threadOn(cpu, m_timeline.traces[m_trace].clock(tick.range.begin))) {
                    ++votes.byTid[*tid];
                    ++votes.all;
                }
        };
        HostTimestamp at = HostTimestamp::min();
        for (std::size_t i = 0; i < MostEvents; ++i) {
            const auto next = store.nextInterval(ticks, at);
            if (next.empty())
                return votes;
            vote(next.front());
            at = next.front().range.begin;
        }
        HostTimestamp end = HostTimestamp::max();
        for (std::size_t i = 0; i < MostEvents; ++i) {
            const auto before = store.previousInterval(ticks, end);
            if (before.empty() || before.front().range.begin <= at)
                break;
            vote(before.front());
            end = before.front().range.begin;
        }
        return votes;
    }

    /// Returns the thread's TID on the host; nullopt if no thread of the kernel trace matches.
    std::optional<std::int32_t> hostTid(const NumberedThread& id, const Votes& votes, const std::vector<std::string>& names) const
    {
        if (votes.all == 0 && id.pidNamespace != 0) {
            const std::vector<std::int32_t> dumped = hostTidsOf(id);
            return dumped.size() == 1 ? std::optional(dumped.front()) : std::nullopt;
        }
        // Events on CPUs that ran the thread are stronger evidence than its name, because a tracer may keep a thread's first name for ever
        // (procname of LTTng-UST).
        if (id.pidNamespace == 0 && votes.all >= ProvingEvents && votes.areMostlyFor(id.tid))
            return id.tid;
        const auto tid = votes.all > 0 ? voted(id, votes) : std::optional(id.tid);
        if (!tid || (namesContradict(*tid, names) && !isDumpedAs(id, *tid)))
            return {};
        return tid;
    }

    /// Returns the host TID that the events in `votes` show for the thread, regardless of names; nullopt if the events do not identify a
    /// thread.
    std::optional<std::int32_t> voted(const NumberedThread& id, const Votes& votes) const
    {
        if (id.pidNamespace == 0 && votes.areMostlyFor(id.tid))
            return id.tid;
        const auto ran = votes.one();
        if (!ran || *ran <= 0)
            return {};
        return votes.all >= ProvingEvents || std::ranges::count(hostTidsOf(id), *ran) > 0 ? ran : std::nullopt;
    }

    /// True if a state dump says that the host thread `tid` has the TID id.tid in the PID namespace of `id`. False if the namespace is
    /// unknown.
    bool isDumpedAs(const NumberedThread& id, std::int32_t tid) const
    {
        return id.pidNamespace != 0 && std::ranges::count(hostTidsOf(id), tid) > 0;
    }

    /// Returns the host TIDs of the threads that have, according to state dumps, the TID id.tid in the PID namespace id.pidNamespace.
    std::vector<std::int32_t> hostTidsOf(const NumberedThread& id) const
    {
        std::vector<std::int32_t> tids;
        for (const KernelThreads& kernel : m_kernels)
            std::ranges::copy(kernel.hostTidsOf(id.tid, id.pidNamespace), std::back_inserter(tids));
        return tids;
    }

    /// True if the kernel traces have names for thread `tid`, `names` is not empty, and no name is in both.
    bool namesContradict(std::int32_t tid, const std::vector<std::string>& names) const
    {
        std::vector<std::string> kernels;
        for (const KernelThreads& kernel : m_kernels)
            std::ranges::move(kernel.names(tid), std::back_inserter(kernels));
        const auto isShared = [&](const std::string& name) { return std::ranges::count(kernels, name) > 0; };
        return !names.empty() && !kernels.empty() && std::ranges::none_of(names, isShared);
    }

    const Timeline& m_timeline;
    const std::uint32_t m_trace;
    std::vector<KernelThreads> m_kernels;
};

/// Maximum number of successive intervals between two exit states of one thread: an exiting thread may be interrupted or wait.
constexpr int MostBetweenExits = 8;

bool isExit(const Store& store, const Track& track, State state)
{
    const auto& states = store.stateSets()[static_cast<std::size_t>(track.states)].states;
    return static_cast<std::size_t>(state) < states.size() && states[static_cast<std::size_t>(state)].meaning == StateCategory::OnCpuExit;
}

/// Returns the end of the thread; nullopt if the thread does not end within the trace.
std::optional<HostTimestamp> endOf(const Store& store, TrackId id)
{
    const Track& track = store.tracks()[static_cast<std::size_t>(id)];
    std::optional<HostTimestamp> end;
    HostTimestamp before = track.life.end;
    for (int others = 0; others < MostBetweenExits; ++others) {
        const auto last = store.previousInterval(id, before);
        if (last.empty())
            break;
        before = last[0].range.begin;
        if (isExit(store, track, last[0].state)) {
            end = before;
            others = 0;
        }
    }
    return end || track.life.end >= store.summary().range.end ? end : track.life.end;
}

/// TIDs with which a trace identifies the threads of its host, keyed by the threads' TIDs outside of PID namespaces.
class NumbersByHostTid {
public:
    explicit NumbersByHostTid(const ThreadNumbers& numbers)
    {
        for (const auto& [thread, hostTid] : numbers)
            if (thread.pidNamespace == 0) {
                m_listed.insert(thread.tid);
                m_tids[hostTid].push_back(thread.tid);
            }
    }

    std::vector<std::int32_t> of(std::int32_t hostTid) const
    {
        const auto found = m_tids.find(hostTid);
        std::vector<std::int32_t> tids = found != m_tids.end() ? found->second : std::vector<std::int32_t>();
        if (!m_listed.contains(hostTid))
            tids.push_back(hostTid);
        return tids;
    }

private:
    std::unordered_map<std::int32_t, std::vector<std::int32_t>> m_tids; ///< TIDs in the trace, keyed by the TID on the host.
    std::unordered_set<std::int32_t> m_listed; ///< TIDs in the trace that belong to a thread with another TID on the host.
};

} // namespace

ThreadNumbers findHostThreads(const Timeline& timeline, std::uint32_t trace) { return HostThreadFinder(timeline, trace).find(); }

std::vector<ThreadEnd> findThreadEnds(const Timeline& timeline, std::size_t trace)
{
    const TimelineTrace& own = timeline.traces[trace];
    const NumbersByHostTid numbers(findHostThreads(timeline, static_cast<std::uint32_t>(trace)));
    std::vector<ThreadEnd> ends;
    for (const TimelineStore& it : timeline.stores) {
        if (!it.store || it.isFromCorrelator || it.trace == trace || timeline.traces[it.trace].host != own.host)
            continue;
        const ClockTransform& clock = timeline.traces[it.trace].clock;
        const auto tracks = it.store->tracks();
        for (std::size_t i = 0; i < tracks.size(); ++i)
            if (tracks[i].role == TrackRole::Thread && tracks[i].tid > 0)
                if (const auto end = endOf(*it.store, static_cast<TrackId>(i)))
                    for (const std::int32_t tid : numbers.of(tracks[i].tid))
                        ends.push_back({tid, own.clock.inverse(clock(*end))});
    }
    std::ranges::sort(ends);
    return ends;
}

} // namespace helio
