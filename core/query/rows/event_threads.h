#pragma once

#include "core/query/rows/rows.h"

#include <set>
#include <vector>

namespace helio {

/// Whether nothing is known of a thread but when its events were: a user-space trace has no others.
bool isEventThread(const Timeline& timeline, TrackRef track);

/// TID on the host of the thread that a track represents or belongs to; -1 if there is no such thread, or if it has a container's TID that
/// no trace of the host resolves. Cost: a look-up.
std::int32_t hostTidOf(const Timeline& timeline, TrackRef thread);

/// The attribute tracks whose intervals are the events of a thread: its own, and those that user-space traces of its host have of the
/// same tid. Cost: some ns for each track of those traces.
std::vector<TrackRef> eventTicks(const Timeline& timeline, TrackRef thread);

/// How many events of the thread lie in the range.
std::uint64_t eventsIn(const Timeline& timeline, TrackRef thread, TimeRange range);

/// The tids of a host's threads whose states are known: there a row of events alone would be the same thread again.
std::set<std::int32_t> threadsWithStates(const Timeline& timeline, std::uint32_t host);

} // namespace helio
