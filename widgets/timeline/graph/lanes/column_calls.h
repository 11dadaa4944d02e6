#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <optional>

namespace helio {

/// What a column of pixels, or a point of one, means of a row whose intervals are calls.
struct ColumnCalls {
    std::uint64_t count = 0; ///< At most MostColumnCalls are counted.
    std::optional<Interval> longest; ///< Of those counted. Nothing: there is none.
};
constexpr std::uint64_t MostColumnCalls = 1000;

/// Threads: any. Cost: a microsecond or two a call.
ColumnCalls callsIn(const Timeline& timeline, TrackRef row, TimeRange column);

} // namespace helio
