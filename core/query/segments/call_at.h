#pragma once

#include "core/query/segments/segments.h"
#include "core/store/store.h"

#include <optional>
#include <vector>

/// Calls by where they are: on a row, below each other.
namespace helio {

/// The track of the thread whose calls a track has: the one that it hangs from, or itself. NoTrack: there is none.
TrackId threadTrack(const Store& store, TrackId track);

/// The call on a row at a time. Nothing: there is none, or the row is not of calls. Calls without length are not found.
/// Cost: of a block of segments for each kind of calls; less than a ms.
std::optional<Segment> callAt(const Timeline& timeline, TrackRef row, Timestamp at);

/// Who called it, the innermost first; ends where a caller is not known. Cost: as callAt().
std::vector<Segment> callersOf(const Timeline& timeline, const Segment& call);

} // namespace helio
