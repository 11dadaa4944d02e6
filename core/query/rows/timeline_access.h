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

/// Access to the contents of a timeline: all code reads rows, links and samples of traces, stores and correlators through these functions.
/// They return empty results for contents that do not exist or are not indexed yet.
namespace helio {

/// Returns the store of a track; nullptr if there is no such track.
const Store* storeOf(const Timeline& timeline, TrackRef track);
/// Returns a weak reference to the store of a track. Callers that cache data about a track keep the reference and compare it later: if it
/// has changed, the track is in a new store and the cached data is outdated.
std::weak_ptr<const Store> ownerOf(const Timeline& timeline, TrackRef track);
const Track* trackOf(const Timeline& timeline, TrackRef track);
// storeAt() returns the store with the given index. traceOf() returns the trace to which the timeline assigns this store, as an index
// into Timeline::traces. Both require that the store exists.
const Store& storeAt(const Timeline& timeline, StoreIndex store);
std::uint32_t traceOf(const Timeline& timeline, StoreIndex store);
/// Returns the transform from the times of a store to the experiment's clock; usually the clock of the store's trace.
const ClockTransform& clockOf(const Timeline& timeline, StoreIndex store);

/// Returns the last time on the host's clock that is not after `at`. In contrast, ClockTransform::inverse() returns the first time that is
/// not before `at`.
HostTimestamp lastNotAfter(const ClockTransform& clock, Timestamp at);

/// True if the store's contents come from several traces, like the contents of the correlators' stores. traceOf() of the store is
/// then meaningless.
bool isOfAllTraces(const Timeline& timeline, StoreIndex store);

/// Returns the kinds of links of a store, by LinkKind; empty if there is no such store.
std::span<const LinkKindInfo> linkKindsOf(const Timeline& timeline, StoreIndex store);

/// Returns the links that a correlator found; nullptr if the correlator did not run.
const InterTraceLinks* crossLinksOf(const Timeline& timeline, RelationIndex relation);

/// Calls visit(index, links) for each correlator that ran.
template <typename Visit> void forEachInterTraceLinks(const Timeline& timeline, const Visit& visit)
{
    for (std::uint32_t i = 0; i < timeline.relations.size(); ++i)
        if (timeline.relations[i])
            visit(RelationIndex{i}, timeline.relations[i]->links);
}

/// Returns the modules of a store's call stacks, indexed by ModuleId: the store's modules if it has any, else its trace's modules. Empty if
/// the store does not exist.
std::span<const Module> modulesOf(const Timeline& timeline, StoreIndex store);
/// Returns a module; nullptr if there is no such module.
const Module* moduleAt(const Timeline& timeline, StoreIndex store, ModuleId module);

/// Returns the first store with samples of a trace. Stores of built-in analyses come before stores of added analyses. Returns an
/// index past the last store if no store has samples.
StoreIndex storeWithSamples(const Timeline& timeline, std::uint32_t trace);
/// Returns the samples of a store; an empty set if there is no such store.
const SampleSet& samplesIn(const Timeline& timeline, StoreIndex store);

/// Returns the counters of a store; an empty set if there is no such store.
const CounterSet& countersIn(const Timeline& timeline, StoreIndex store);

/// Returns the segments of a store; an empty set if there is no such store.
const SegmentSet& segmentsIn(const Timeline& timeline, StoreIndex store);

/// Calls visit(index, store, trace) for each store. The stores of one trace are adjacent. Times of a store must be converted with
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

/// Calls visit(reference, track) for each track of a store with the given role.
template <typename Visit> void forEachTrack(StoreIndex index, const Store& store, TrackRole role, const Visit& visit)
{
    const auto tracks = store.tracks();
    for (std::uint32_t i = 0; i < tracks.size(); ++i)
        if (tracks[i].role == role)
            visit(TrackRef{index, TrackId{i}}, tracks[i]);
}

/// Returns the first track of a trace that has the given role and for which isIt(reference, track) is true. Returns an invalid reference if
/// the trace has no such track.
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

/// Identity of the states of a row, for callers that cache data about the states. Stores never change their sets: if two RowStates are
/// equal, the states are equal, even after the timeline was destroyed. If two RowStates differ, the states may still be equal.
struct RowStates {
    const StateSet* set = nullptr; ///< Set of states. Valid as long as the store; a static empty set if the row does not exist.
    std::weak_ptr<const Store> store;

    bool operator==(const RowStates& other) const
    {
        return set == other.set && !store.owner_before(other.store) && !other.store.owner_before(store);
    }
};
RowStates rowStates(const Timeline& timeline, TrackRef row);

/// Converts ranges to the clock of a store, sorted and without overlaps. If `ranges` is empty, returns one range from the minimum to the
/// maximum time.
std::vector<HostRange> hostRanges(const std::vector<TimeRange>& ranges, const ClockTransform& clock);

/// Calls `take` for each interval of a row that overlaps `window`, clipped to `window`, in time order. Reads the row in parts to limit
/// memory. Returns early if `stop` is requested.
void forEachRowInterval(const Timeline& timeline, const Row& row, TimeRange window, const std::function<void(const Interval&)>& take,
                        std::stop_token stop = {});

} // namespace helio
