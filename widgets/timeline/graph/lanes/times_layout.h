#pragma once

#include "widgets/time/time_scale.h"

#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// Number of times in one pixel column.
struct TimesColumn {
    int x = 0; ///< x of the column, from the scale's left edge.
    std::uint32_t count = 0;
    bool operator==(const TimesColumn&) const = default;
};

/// Returns the columns of the scale's window that contain times, from left to right. Requires: `times` is sorted.
/// Cost: about 10 ns per column, regardless of the number of times.
std::vector<TimesColumn> computeTimesColumns(std::span<const Timestamp> times, const TimeScale& scale);

} // namespace helio
