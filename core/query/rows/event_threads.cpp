#include "core/query/rows/event_threads.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/statistics.h"

namespace helio {
namespace {

/// Rows whose only state is that nothing is known have nothing but events.
bool isEventSet(const Store& store, StateSetId id)
{
    const auto sets = store.stateSets();
    if (static_cast<std::size_t>(id) >= sets.size())
        return false;
    const auto& states = sets[static_cast<std::size_t>(id)].states;
    return states.size() == 1 && states.front().meaning == Meaning::Unknown;
}

/// Calls `take` for each thread of a store.
template <typename Take> void eachThread(const Store& store, const Take& take)
{
    const auto tracks = store.tracks();
    for (std::uint32_t i = 0; i < tracks.size(); ++i)
        if (tracks[i].role == TrackRole::Thread)
            take(TrackId{i}, tracks[i]);
}

} // namespace

bool isNumberedByHost(const Track& thread) { return thread.key.find('@') == std::string::npos; }

bool isEventThread(const Timeline& timeline, TrackRef ref)
{
    if (ref.trace >= timeline.traces.size() || !timeline.traces[ref.trace].store)
        return false;
    const Store& store = *timeline.traces[ref.trace].store;
    const auto index = static_cast<std::size_t>(ref.track);
    return index < store.tracks().size() && store.tracks()[index].role == TrackRole::Thread
        && isEventSet(store, store.tracks()[index].states);
}

std::vector<TrackRef> eventTicks(const Timeline& timeline, TrackRef thread)
{
    std::vector<TrackRef> found;
    const auto add = [&](TrackRef row) {
        if (const TrackRef ticks = attributeOf(timeline, row, TrackRole::Events); ticks.isValid())
            found.push_back(ticks);
    };
    add(thread);
    if (thread.trace >= timeline.traces.size() || !timeline.traces[thread.trace].store || isEventThread(timeline, thread))
        return found;
    const auto tracks = timeline.traces[thread.trace].store->tracks();
    const auto index = static_cast<std::size_t>(thread.track);
    if (index >= tracks.size() || tracks[index].role != TrackRole::Thread || tracks[index].tid < 0)
        return found;
    for (std::uint32_t t = 0; t < timeline.traces.size(); ++t) {
        const TimelineTrace& other = timeline.traces[t];
        if (t == thread.trace || other.host != timeline.traces[thread.trace].host || !other.store)
            continue;
        eachThread(*other.store, [&](TrackId id, const Track& track) {
            if (track.tid == tracks[index].tid && isEventSet(*other.store, track.states) && isNumberedByHost(track))
                add({t, id});
        });
    }
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

std::set<std::int32_t> toldThreads(const Timeline& timeline, std::uint32_t host)
{
    std::set<std::int32_t> tids;
    for (const TimelineTrace& trace : timeline.traces) {
        if (trace.host != host || !trace.store)
            continue;
        eachThread(*trace.store, [&](TrackId, const Track& track) {
            if (track.intervals > 0 && !isEventSet(*trace.store, track.states))
                tids.insert(track.tid);
        });
    }
    return tids;
}

} // namespace helio
