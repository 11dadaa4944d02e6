#pragma once

#include "core/base/time.h"

#include <algorithm>

namespace helio {

/// Returns the range of a loss (Loss::range) from `begin` to `end`. The range is at least 1 ns long, whatever times a damaged file has.
constexpr HostRange makeLossRange(HostTimestamp begin, HostTimestamp end)
{
    begin = std::min(begin, HostTimestamp::max() - Duration(1));
    return {begin, std::max(end, begin + Duration(1))};
}

} // namespace helio
