#include "core/query/rows/stack_depths.h"

#include <algorithm>

namespace helio {

int countOccupiedDepths(const Timeline& timeline, std::span<const TrackRef> depths, TimeRange range)
{
    const auto isOccupied = [&](TrackRef row) {
        if (!intervalAt(timeline, row, range.begin).empty())
            return true;
        const auto next = nextInterval(timeline, row, range.begin);
        return !next.empty() && next.front().range.begin < range.end;
    };
    return static_cast<int>(std::ranges::partition_point(depths, isOccupied) - depths.begin());
}

} // namespace helio
