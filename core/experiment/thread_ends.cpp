#include "core/experiment/thread_ends.h"

#include "core/experiment/host_threads.h"

#include <algorithm>
#include <optional>

namespace helio {
namespace {

/// On the way out a thread is interrupted and waits: so many intervals in a row at most.
constexpr int MostBetweenExits = 8;

bool isExit(const Store& store, const Track& track, State state)
{
    const auto& states = store.stateSets()[static_cast<std::size_t>(track.states)].states;
    return static_cast<std::size_t>(state) < states.size() && states[static_cast<std::size_t>(state)].meaning == Meaning::OnCpuExit;
}

/// Nothing: it lives on.
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

/// The TIDs outside of namespaces that a trace has for a thread of its host.
std::vector<std::int32_t> numbersOf(const ThreadNumbers& numbers, std::int32_t hostTid)
{
    std::vector<std::int32_t> tids;
    bool isOther = false;
    for (const auto& [thread, tid] : numbers) {
        if (thread.pidNamespace == 0 && tid == hostTid)
            tids.push_back(thread.tid);
        isOther |= thread.pidNamespace == 0 && thread.tid == hostTid;
    }
    if (!isOther)
        tids.push_back(hostTid);
    return tids;
}

} // namespace

std::vector<ThreadEnd> threadEndsFor(const Timeline& timeline, std::size_t trace)
{
    const TimelineTrace& own = timeline.traces[trace];
    const ThreadNumbers numbers = hostThreadsOf(timeline, static_cast<std::uint32_t>(trace));
    std::vector<ThreadEnd> ends;
    for (const TimelineStore& it : timeline.stores) {
        if (!it.store || it.isOfRelation || it.trace == trace || timeline.traces[it.trace].host != own.host)
            continue;
        const ClockTransform& clock = timeline.traces[it.trace].clock;
        const auto tracks = it.store->tracks();
        for (std::size_t i = 0; i < tracks.size(); ++i)
            if (tracks[i].role == TrackRole::Thread && tracks[i].tid > 0)
                if (const auto end = endOf(*it.store, static_cast<TrackId>(i)))
                    for (const std::int32_t tid : numbersOf(numbers, tracks[i].tid))
                        ends.push_back({tid, own.clock.inverse(clock(*end))});
    }
    std::ranges::sort(ends);
    return ends;
}

} // namespace helio
