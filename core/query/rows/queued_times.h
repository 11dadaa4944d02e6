#pragma once

#include "core/query/rows/rows.h"

namespace helio {

/// Track::kind of the child track (attribute) that shows how long requests were queued. It belongs to a row with requests in flight, and
/// has one interval for each request: the time for which the request was queued before it was issued. An interval begins when the previous
/// request of the row was issued, at the earliest.
constexpr const char* QueuedTimes = "queued";

/// Returns the attribute of kind QueuedTimes of a row; not valid if the row has none.
TrackRef queuedTimesOf(const Timeline& timeline, TrackRef row);

} // namespace helio
