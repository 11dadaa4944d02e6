#pragma once

#include "core/clock/clock_transform.h"
#include "core/experiment/timeline.h"
#include "core/query/rows/arrows.h"
#include "core/query/rows/rows.h"
#include "core/store/states.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

/// The only access to what a timeline is composed of: rows, links and samples are asked for through these functions, whichever trace and
/// store they come from. If something does not exist, or not yet, the answer is empty.
namespace helio {

/// Returns the store of a track; nullptr if there is no such track.
const Store* storeOf(const Timeline& timeline, TrackRef track);
/// Weak reference to the store of a track, for callers that cache something about the track.
std::weak_ptr<const Store> ownerOf(const Timeline& timeline, TrackRef track);
const Track* trackOf(const Timeline& timeline, TrackRef track);
// The two functions below require that the store exists.
const Store& storeAt(const Timeline& timeline, StoreIndex store);
std::uint32_t traceOf(const Timeline& timeline, StoreIndex store);
/// Returns the transform from the times of a store to the experiment's: usually the clock of its trace.
const ClockTransform& clockOf(const Timeline& timeline, StoreIndex store);

/// Returns the last time on the host's clock that is not after `at`; inverse() is the first one that is not before `at`.
HostTimestamp lastNotAfter(const ClockTransform& clock, Timestamp at);

/// True if the store's contents belong to all traces together; the trace that the store is listed with then means nothing.
bool isOfAllTraces(const Timeline& timeline, StoreIndex store);

/// Returns the kinds of links of a store, by LinkKind; empty if there is no such store.
std::span<const LinkKindInfo> linkKindsOf(const Timeline& timeline, StoreIndex store);

/// Returns the links that a correlator found; nullptr if it did not run.
const InterTraceLinks* crossLinksOf(const Timeline& timeline, RelationIndex relation);

/// Calls visit(index, links) for each correlator that ran.
template <typename Visit> void forEachInterTraceLinks(const Timeline& timeline, const Visit& visit)
{
    for (std::uint32_t i = 0; i < timeline.relations.size(); ++i)
        if (timeline.relations[i])
            visit(RelationIndex{i}, timeline.relations[i]->links);
}

/// Returns the modules of a store's call stacks, by ModuleId: the store's own if it has any, else its trace's. Empty if there is no such
/// store.
std::span<const Module> modulesOf(const Timeline& timeline, StoreIndex store);
/// Returns a module; nullptr if there is no such module.
const Module* moduleAt(const Timeline& timeline, StoreIndex store, ModuleId module);

/// Returns the store that has a trace's samples; the first one if several have some: built-in analyses come before added ones. Returns an
/// index past the last store if none has samples.
StoreIndex storeWithSamples(const Timeline& timeline, std::uint32_t trace);
/// Returns the samples of a store; an empty set if there is no such store.
const SampleSet& samplesIn(const Timeline& timeline, StoreIndex store);

/// Returns the counters of a store; an empty set if there is no such store.
const CounterSet& countersIn(const Timeline& timeline, StoreIndex store);

/// Returns the segments of a store; an empty set if there is no such store.
const SegmentSet& segmentsIn(const Timeline& timeline, StoreIndex store);

/// Calls visit(index, store, trace) for each store, in order: the stores of one trace are adjacent. Convert the times of a store with
/// clockOf(), not with the trace's clock.
template <typename Visit> void forEachStore(const Timeline& timeline, const Visit& visit)
{
    for (std::uint32_t i = 0; i < timeline.stores.size(); ++i)
        if (const TimelineStore& it = timeline.stores[i]; it.store)
            visit(StoreIndex{i}, *it.store, timeline.traces[it.trace]);
}

/// Calls visit(index, store) for each store of one trace.
template <typename Visit> void forEachStoreOf(const Timeline& timeline, std::uint32_t trace, const Visit& visit)
{
    for (std::uint32_t i = 0; i < timeline.stores.size(); ++i)
        if (const TimelineStore& it = timeline.stores[i]; it.store && it.trace == trace)
            visit(StoreIndex{i}, *it.store);
}

/// Calls visit(reference, track) for each track of a store with that role.
template <typename Visit> void forEachTrack(StoreIndex index, const Store& store, TrackRole role, const Visit& visit)
{
    const auto tracks = store.tracks();
    for (std::uint32_t i = 0; i < tracks.size(); ++i)
        if (tracks[i].role == role)
            visit(TrackRef{index, TrackId{i}}, tracks[i]);
}

/// Returns the first track of a trace with that role for which isIt(reference, track) is true. Not valid: none.
template <typename IsIt> TrackRef findTrack(const Timeline& timeline, std::uint32_t trace, TrackRole role, const IsIt& isIt)
{
    TrackRef found;
    forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        const auto tracks = store.tracks();
        for (std::uint32_t i = 0; i < tracks.size() && !found.isValid(); ++i)
            if (const TrackRef ref{index, TrackId{i}}; tracks[i].role == role && isIt(ref, tracks[i]))
                found = ref;
    });
    return found;
}

/// Identifies the states of a row, for callers that cache something about them. A store never changes its sets: if two RowStates are
/// equal, so are the states, even after their timeline is gone. Unequal ones may still have the same states.
struct RowStates {
    const StateSet* set = nullptr; ///< Valid as long as the store; valid forever if there is no such row.
    std::weak_ptr<const Store> store;

    bool operator==(const RowStates& other) const
    {
        return set == other.set && !store.owner_before(other.store) && !other.store.owner_before(store);
    }
};
RowStates rowStates(const Timeline& timeline, TrackRef row);

/// Converts ranges to a store's own clock, sorted and merged so that nothing counts twice. Without ranges, returns all of time.
std::vector<HostRange> hostRanges(const std::vector<TimeRange>& ranges, const ClockTransform& clock);

/// Calls `take` for each interval of a row that overlaps the window, clipped to the window, in time order. Reads the row in parts, so that
/// no row of a long trace must be held whole. Ends early once `stop` is requested.
void forEachRowInterval(const Timeline& timeline, const Row& row, TimeRange window, const std::function<void(const Interval&)>& take,
                        std::stop_token stop = {});

} // namespace helio
