#pragma once

#include "widgets/time/time_scale.h"

#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// Moments in one column of a picture, a pixel wide.
struct TimesColumn {
    int x = 0; ///< From the scale's left.
    std::uint32_t count = 0;
    bool operator==(const TimesColumn&) const = default;
};

/// The columns of the scale's window in which there are any, from the left. `times`: in order. Cost: some 10 ns a column, however many
/// there are.
std::vector<TimesColumn> columnsOf(std::span<const Timestamp> times, const TimeScale& scale);

} // namespace helio
