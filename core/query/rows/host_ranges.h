#pragma once

#include "core/clock/clock_transform.h"

#include <vector>

namespace helio {

/// The ranges on a store's own clock, in order and apart, so that nothing counts twice. Without ranges: all of time.
std::vector<HostRange> hostRanges(const std::vector<TimeRange>& ranges, const ClockTransform& clock);

} // namespace helio
