#pragma once

#include "core/query/rows/rows.h"

#include <set>
#include <vector>

namespace helio {

/// True if the track is a thread with recorded events but no states, as in a user-space trace.
bool isEventThread(const Timeline& timeline, TrackRef track);

/// Returns the TID, as the host's kernel numbers it, of the thread that a track represents or belongs to. -1 if the track belongs to no
/// thread, or if only the TID in a container is known and no trace of the host resolves it.
/// Cost: a look-up.
std::int32_t hostTidOf(const Timeline& timeline, TrackRef thread);

/// Returns the child tracks that have one interval for each event of a thread (TrackRole::Events). They belong to the thread's own track,
/// and to tracks with the same TID in user-space traces of the thread's host.
/// Cost: a few ns for each track of the user-space traces.
std::vector<TrackRef> eventTicks(const Timeline& timeline, TrackRef thread);

/// Returns the number of the thread's events in the range.
std::uint64_t eventsIn(const Timeline& timeline, TrackRef thread, TimeRange range);

/// Returns the TIDs of a host's threads with known states. Views omit rows that have only events of these threads, which would show the
/// threads twice.
std::set<std::int32_t> threadsWithStates(const Timeline& timeline, std::uint32_t host);

} // namespace helio
