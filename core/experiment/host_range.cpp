#include "core/experiment/host_range.h"

#include <algorithm>

namespace helio {

HostRange hostRange(const Timeline& timeline, std::uint32_t host)
{
    HostRange all;
    for (const TimelineTrace& t : timeline.traces) {
        if (t.host != host)
            continue;
        const HostRange own = t.facts && t.facts->isComplete() ? t.facts->summary().range : t.claimed;
        all = all == HostRange{} ? own : HostRange{std::min(all.begin, own.begin), std::max(all.end, own.end)};
    }
    return all;
}

HostTimestamp middleOfHost(const Timeline& timeline, std::uint32_t host)
{
    const HostRange range = hostRange(timeline, host);
    return range.begin + (range.end - range.begin) / 2;
}

} // namespace helio
