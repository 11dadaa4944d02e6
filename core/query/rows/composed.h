#pragma once

#include "core/experiment/timeline.h"
#include "core/query/rows/arrows.h"
#include "core/query/rows/rows.h"

#include <cstdint>
#include <span>

/// The one door to what a timeline is composed of: who asks of rows, links or samples goes through these, whichever trace, analysis and
/// store they come from. What is asked of something that is not there, or not yet, is answered with nothing.
namespace helio {

/// The store that a track is of. Null: there is no such track.
const Store* storeOf(const Timeline& timeline, TrackRef track);
std::weak_ptr<const Store> ownerOf(const Timeline& timeline, TrackRef track); ///< The same, for who keeps something about it.
const Track* trackOf(const Timeline& timeline, TrackRef track);
// Require: there is such a store.
const Store& storeAt(const Timeline& timeline, StoreIndex store);
std::uint32_t traceOf(const Timeline& timeline, StoreIndex store);
/// From the times of a store to the experiment's: mostly those of its trace.
const ClockTransform& clockOf(const Timeline& timeline, StoreIndex store);

/// The last time on a clock of its own that is not after `at`; its inverse() is the first that is not before it.
HostTimestamp lastNotAfter(const ClockTransform& clock, Timestamp at);

/// Whether what a store has is of all traces together: then the trace that it stands with says nothing.
bool isOfAllTraces(const Timeline& timeline, StoreIndex store);

/// The kinds of links that a store has, by LinkKind. None where there is no such store.
std::span<const LinkKindInfo> linkKindsOf(const Timeline& timeline, StoreIndex store);

/// The links that a relation found. Null: it was not made.
const CrossLinks* crossLinksOf(const Timeline& timeline, RelationIndex relation);

/// Calls visit(index, links) for each relation that was made.
template <typename Visit> void eachCrossLinks(const Timeline& timeline, const Visit& visit)
{
    for (std::uint32_t i = 0; i < timeline.relations.size(); ++i)
        if (timeline.relations[i])
            visit(RelationIndex{i}, timeline.relations[i]->links);
}

/// The modules that a store's stacks lie in, by ModuleId: its own where it has any, else its trace's. Empty where there is no such store.
std::span<const Module> modulesOf(const Timeline& timeline, StoreIndex store);
/// Null: there is no such module.
const Module* moduleAt(const Timeline& timeline, StoreIndex store, ModuleId module);

/// The store that has a trace's samples, the first where several have some: built-in analyses stand before those that were added. One that
/// is not there where none has.
StoreIndex storeWithSamples(const Timeline& timeline, std::uint32_t trace);
/// Those of a store. None where there is no such store.
const SampleSet& samplesIn(const Timeline& timeline, StoreIndex store);

/// The counters of a store. None where there is no such store.
const CounterSet& countersIn(const Timeline& timeline, StoreIndex store);

/// Those of a store. None where there is no such store.
const SegmentSet& segmentsIn(const Timeline& timeline, StoreIndex store);

/// Calls visit(index, store, trace) for each store there is, in order: those of one trace stand beside each other. Their times are turned
/// into the experiment's by clockOf(), not by the trace's clock.
template <typename Visit> void eachStore(const Timeline& timeline, const Visit& visit)
{
    for (std::uint32_t i = 0; i < timeline.stores.size(); ++i)
        if (const TimelineStore& it = timeline.stores[i]; it.store)
            visit(StoreIndex{i}, *it.store, timeline.traces[it.trace]);
}

/// Calls visit(index, store) for the stores of one trace.
template <typename Visit> void eachStoreOf(const Timeline& timeline, std::uint32_t trace, const Visit& visit)
{
    for (std::uint32_t i = 0; i < timeline.stores.size(); ++i)
        if (const TimelineStore& it = timeline.stores[i]; it.store && it.trace == trace)
            visit(StoreIndex{i}, *it.store);
}

/// Calls visit(reference, track) for each track of a store with that role.
template <typename Visit> void eachTrack(StoreIndex index, const Store& store, TrackRole role, const Visit& visit)
{
    const auto tracks = store.tracks();
    for (std::uint32_t i = 0; i < tracks.size(); ++i)
        if (tracks[i].role == role)
            visit(TrackRef{index, TrackId{i}}, tracks[i]);
}

/// The first track of a trace with that role for which isIt(reference, track) is true. Not valid: none.
template <typename IsIt> TrackRef findTrack(const Timeline& timeline, std::uint32_t trace, TrackRole role, const IsIt& isIt)
{
    TrackRef found;
    eachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        const auto tracks = store.tracks();
        for (std::uint32_t i = 0; i < tracks.size() && !found.isValid(); ++i)
            if (const TrackRef ref{index, TrackId{i}}; tracks[i].role == role && isIt(ref, tracks[i]))
                found = ref;
    });
    return found;
}

} // namespace helio
