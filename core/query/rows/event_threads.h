#pragma once

#include "core/query/rows/rows.h"

#include <set>
#include <vector>

namespace helio {

/// Whether nothing is known of a thread but when its events were: a user-space trace has no others.
bool isEventThread(const Timeline& timeline, TrackRef track);

/// Whether its tid may be that of another trace's thread. One of a container has a number of its own there: `tid:N@NS`.
bool isNumberedByHost(const Track& thread);

/// The attribute tracks whose intervals are the events of a thread: its own, and those that user-space traces of its host have of the
/// same tid. Cost: some ns for each track of those traces.
std::vector<TrackRef> eventTicks(const Timeline& timeline, TrackRef thread);

/// How many events of the thread lie in the range.
std::uint64_t eventsIn(const Timeline& timeline, TrackRef thread, TimeRange range);

/// The threads of a host whose states other traces of it tell, by tid: there a user-space trace's row would be the same thread again.
std::set<std::int32_t> toldThreads(const Timeline& timeline, std::uint32_t host);

} // namespace helio
