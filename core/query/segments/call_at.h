#pragma once

#include "core/query/segments/segments.h"
#include "core/store/store.h"

#include <optional>
#include <vector>

/// Finds calls by their position: the call on a row, the callers of a call.
namespace helio {

/// Returns the track of the thread whose calls are on `track`: its parent if `track` is a row of calls, else `track` itself. NoTrack: there
/// is no such track.
TrackId threadTrack(const Store& store, TrackId track);

/// Returns the call on a row at a time; nullopt if there is none, or if the row has no calls. Calls without length are not found.
/// Cost: reads a block of segments for each kind of calls; less than a ms.
std::optional<Segment> callAt(const Timeline& timeline, TrackRef row, Timestamp at);

/// Returns the callers of a call, innermost first; ends at the first unknown caller.
/// Cost: as callAt().
std::vector<Segment> callersOf(const Timeline& timeline, const Segment& call);

} // namespace helio
