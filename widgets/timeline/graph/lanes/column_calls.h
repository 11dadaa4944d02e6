#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <optional>

namespace helio {

/// Calls of a row in a column of pixels, or at a moment.
struct ColumnCalls {
    std::uint64_t count = 0; ///< Number of calls, counted up to MostColumnCalls.
    std::optional<Interval> longest; ///< Longest of the counted calls; nullopt if there are none.
};
constexpr std::uint64_t MostColumnCalls = 1000;

/// Returns the calls of `row` that overlap `column`.
/// Threads: any.
/// Cost: one or two microseconds per call.
ColumnCalls findColumnCalls(const Timeline& timeline, TrackRef row, TimeRange column);

} // namespace helio
