#include "core/experiment/thread_ends.h"

#include "core/experiment/host_threads.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace helio {
namespace {

/// Largest number of intervals in a row that may lie between two exit states: an exiting thread is interrupted and waits.
constexpr int MostBetweenExits = 8;

bool isExit(const Store& store, const Track& track, State state)
{
    const auto& states = store.stateSets()[static_cast<std::size_t>(track.states)].states;
    return static_cast<std::size_t>(state) < states.size() && states[static_cast<std::size_t>(state)].meaning == StateCategory::OnCpuExit;
}

/// Empty if the thread does not end within the trace.
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

/// The TIDs that a trace gives the threads of its host, outside of PID namespaces.
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
    std::unordered_map<std::int32_t, std::vector<std::int32_t>> m_tids; ///< TIDs in the trace, by TID on the host.
    std::unordered_set<std::int32_t> m_listed; ///< TIDs in the trace that differ from the TIDs on the host.
};

} // namespace

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
