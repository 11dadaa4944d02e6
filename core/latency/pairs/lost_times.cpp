#include "core/latency/pairs/lost_times.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/statistics.h"

#include <algorithm>
#include <utility>

namespace helio {

LostEventTimes::LostEventTimes(const Timeline& timeline, TimeRange window)
    : m_hosts(timeline.hosts.size())
{
    for (const LossRange& loss : losses(timeline, window))
        m_hosts[timeline.traces[loss.trace].host].push_back(loss.range);
    for (auto& ranges : m_hosts) {
        std::ranges::sort(ranges, {}, &TimeRange::begin);
        std::vector<TimeRange> apart;
        for (const TimeRange& it : ranges)
            if (!apart.empty() && it.begin <= apart.back().end)
                apart.back().end = std::max(apart.back().end, it.end);
            else
                apart.push_back(it);
        ranges = std::move(apart);
    }
}

bool LostEventTimes::touch(std::uint32_t host, TimeRange range) const
{
    const auto& ranges = m_hosts[host];
    const auto first = std::ranges::upper_bound(ranges, range.begin, {}, &TimeRange::end);
    return first != ranges.end() && first->begin < range.end;
}

} // namespace helio
