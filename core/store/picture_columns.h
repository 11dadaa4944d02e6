#pragma once

#include "core/base/time.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace helio {

/// Returns the index of the pixel column that contains `time`. Columns begin at multiples of the resolution, counted from time 0, so that a
/// moved window has the same columns and does not flicker. Requires: resolution > 0.
inline std::int64_t columnOf(HostTimestamp time, Duration resolution)
{
    assert(resolution > Duration(0));
    const std::int64_t ns = nanoseconds(time);
    return ns / resolution.count() - (ns % resolution.count() < 0 ? 1 : 0);
}

/// Returns the start of the column that contains `time`. Requires: `time` is within TimeLimit.
inline HostTimestamp columnBegin(HostTimestamp time, Duration resolution)
{
    return hostTime(columnOf(time, resolution) * resolution.count());
}

/// Returns the end of the column that begins at `begin`: `begin` plus the resolution, limited to the end of the time range and to TimeLimit
/// + 1 ns.
inline HostTimestamp columnEnd(HostTimestamp begin, Duration resolution, HostTimestamp windowEnd)
{
    const std::int64_t last = std::min(nanoseconds(windowEnd), TimeLimit + 1);
    std::int64_t end = 0;
    return hostTime(__builtin_add_overflow(nanoseconds(begin), resolution.count(), &end) ? last : std::min(end, last));
}

} // namespace helio
