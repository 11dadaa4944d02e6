#pragma once

#include "core/query/rows/rows.h"

namespace helio {

/// Track::kind of the attribute (child track) of a row with requests in flight. It has one interval for each request: the time for
/// which the request was queued before it was issued. An interval begins when the previous request of the row was issued, at the
/// earliest.
constexpr const char* QueuedTimes = "queued";

/// Returns the attribute of kind QueuedTimes of a row; not valid if the row has none.
TrackRef queuedTimesOf(const Timeline& timeline, TrackRef row);

} // namespace helio
