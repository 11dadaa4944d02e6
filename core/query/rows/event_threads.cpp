#include "core/query/rows/event_threads.h"

#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

namespace helio {
namespace {

/// True if the set has only the state "unknown": rows with this set have recorded events, but no known states.
bool isEventSet(const Store& store, StateSetId id)
{
    const auto sets = store.stateSets();
    if (static_cast<std::size_t>(id) >= sets.size())
        return false;
    const auto& states = sets[static_cast<std::size_t>(id)].states;
    return states.size() == 1 && states.front().meaning == StateCategory::Unknown;
}

} // namespace

std::int32_t hostTidOf(const Timeline& timeline, TrackRef ref)
{
    const Track* const track = trackOf(timeline, ref);
    if (!track || track->tid < 0)
        return -1;
    const std::uint32_t pidNamespace = pidNamespaceOf(track->key);
    for (const auto& relation : timeline.relations) {
        if (!relation || !relation->threads)
            continue;
        if (const auto found = relation->threads->find({traceOf(timeline, ref), pidNamespace, track->tid});
            found != relation->threads->end())
            return found->second;
    }
    return pidNamespace == 0 ? track->tid : -1;
}

bool isEventThread(const Timeline& timeline, TrackRef ref)
{
    const Track* track = trackOf(timeline, ref);
    return track && track->role == TrackRole::Thread && isEventSet(*storeOf(timeline, ref), track->states);
}

std::vector<TrackRef> eventTicks(const Timeline& timeline, TrackRef thread)
{
    std::vector<TrackRef> found;
    const auto add = [&](TrackRef row) {
        if (const TrackRef ticks = attributeOf(timeline, row, TrackRole::Events); ticks.isValid())
            found.push_back(ticks);
    };
    add(thread);
    const Track* own = trackOf(timeline, thread);
    if (!own || own->role != TrackRole::Thread || own->tid < 0 || isEventThread(timeline, thread))
        return found;
    const std::uint32_t host = timeline.traces[traceOf(timeline, thread)].host;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& other) {
        if (index == thread.store || other.host != host)
            return;
        forEachTrack(index, store, TrackRole::Thread, [&](TrackRef ref, const Track& track) {
            if (isEventSet(store, track.states) && hostTidOf(timeline, ref) == own->tid)
                add(ref);
        });
    });
    return found;
}

std::uint64_t eventsIn(const Timeline& timeline, TrackRef thread, TimeRange range)
{
    std::uint64_t count = 0;
    for (const TrackRef ticks : eventTicks(timeline, thread))
        for (const StateTotal& total : totals(timeline, ticks, range))
            count += total.count;
    return count;
}

std::set<std::int32_t> threadsWithStates(const Timeline& timeline, std::uint32_t host)
{
    std::set<std::int32_t> tids;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& trace) {
        if (trace.host != host)
            return;
        forEachTrack(index, store, TrackRole::Thread, [&](TrackRef, const Track& track) {
            if (track.intervals > 0 && !isEventSet(store, track.states))
                tids.insert(track.tid);
        });
    });
    return tids;
}

} // namespace helio
