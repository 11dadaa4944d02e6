#pragma once

#include "core/query/rows/rows.h"

namespace helio {

/// Track::kind of the child track (attribute) that shows how long requests were queued. The parent row shows requests in flight. The child
/// track has one interval for each request, from the time at which the request was queued to the time at which it was issued. If the
/// previous request of the row was issued later than that begin, the interval begins when the previous request was issued.
constexpr const char* QueuedTimes = "queued";

/// Returns the attribute of kind QueuedTimes of a row; not valid if the row has none.
TrackRef queuedTimesOf(const Timeline& timeline, TrackRef row);

} // namespace helio
