#pragma once

#include "core/clock/clock_transform.h"

#include <vector>

namespace helio {

/// Converts ranges to a store's own clock, sorted and merged so that nothing counts twice. Without ranges, returns all of time.
std::vector<HostRange> hostRanges(const std::vector<TimeRange>& ranges, const ClockTransform& clock);

} // namespace helio
