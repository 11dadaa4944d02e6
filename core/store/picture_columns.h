#pragma once

#include "core/base/time.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace helio {

/// Which column of a picture a time lies in. Columns are as long as the resolution and lie at its multiples, counted from time 0, so that
/// nothing shimmers as a window moves. Requires: resolution > 0.
inline std::int64_t columnOf(HostTimestamp time, Duration resolution)
{
    assert(resolution > Duration(0));
    const std::int64_t ns = nanoseconds(time);
    return ns / resolution.count() - (ns % resolution.count() < 0 ? 1 : 0);
}

/// Where the column begins that a time within the limits of stored times lies in.
inline HostTimestamp columnBegin(HostTimestamp time, Duration resolution)
{
    return hostTime(columnOf(time, resolution) * resolution.count());
}

/// Where it ends, or where the window or stored time does. `begin` is the column's.
inline HostTimestamp columnEnd(HostTimestamp begin, Duration resolution, HostTimestamp windowEnd)
{
    const std::int64_t last = std::min(nanoseconds(windowEnd), TimeLimit + 1);
    std::int64_t end = 0;
    return hostTime(__builtin_add_overflow(nanoseconds(begin), resolution.count(), &end) ? last : std::min(end, last));
}

} // namespace helio
