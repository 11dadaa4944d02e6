#pragma once

#include "core/query/rows/rows.h"

namespace helio {

/// Track::kind of the attribute of a row with requests in flight: the time for which each request was queued before it was issued, without
/// the part before the previous request of the row was issued.
constexpr const char* QueuedTimes = "queued";

/// Returns the track with the row's QueuedTimes; not valid if there is none.
TrackRef queuedTimesOf(const Timeline& timeline, TrackRef row);

} // namespace helio
