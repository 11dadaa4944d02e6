#include "core/query/rows/host_ranges.h"

#include <algorithm>

namespace helio {

std::vector<HostRange> hostRanges(const std::vector<TimeRange>& ranges, const ClockTransform& clock)
{
    if (ranges.empty())
        return {{HostTimestamp::min(), HostTimestamp::max()}};
    std::vector<HostRange> sorted;
    for (const TimeRange& range : ranges)
        if (!range.isEmpty())
            sorted.push_back(clock.inverse(range));
    std::ranges::sort(sorted, {}, &HostRange::begin);
    std::vector<HostRange> apart;
    for (const HostRange& range : sorted) {
        if (!apart.empty() && range.begin <= apart.back().end)
            apart.back().end = std::max(apart.back().end, range.end);
        else
            apart.push_back(range);
    }
    return apart;
}

} // namespace helio
