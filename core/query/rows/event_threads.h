#pragma once

#include "core/query/rows/rows.h"

#include <set>
#include <vector>

namespace helio {

/// True if only the times of the thread's events are known, as in a user-space trace.
bool isEventThread(const Timeline& timeline, TrackRef track);

/// TID on the host of the thread that a track represents or belongs to; -1 if there is no such thread, or if it has a container's TID that
/// no trace of the host resolves.
/// Cost: a look-up.
std::int32_t hostTidOf(const Timeline& timeline, TrackRef thread);

/// Returns the attribute tracks whose intervals are the events of a thread: its own, and those of the same TID in user-space traces of its
/// host.
/// Cost: a few ns for each track of those traces.
std::vector<TrackRef> eventTicks(const Timeline& timeline, TrackRef thread);

/// Returns the number of the thread's events in the range.
std::uint64_t eventsIn(const Timeline& timeline, TrackRef thread, TimeRange range);

/// Returns the TIDs of a host's threads with known states. A row of nothing but events would show such a thread twice.
std::set<std::int32_t> threadsWithStates(const Timeline& timeline, std::uint32_t host);

} // namespace helio
