#include "core/query/segments/lost_times.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/statistics.h"

#include <algorithm>

namespace helio {

LostTimes::LostTimes(const Timeline& timeline, TimeRange window)
    : m_hosts(timeline.hosts.size())
{
    for (const LossRange& loss : losses(timeline, window))
        m_hosts[timeline.traces[loss.trace].host].push_back(loss.range);
    for (auto& ranges : m_hosts)
        std::ranges::sort(ranges, {}, &TimeRange::begin);
}

bool LostTimes::touch(std::uint32_t host, TimeRange range) const
{
    const auto& ranges = m_hosts[host];
    const auto end = std::ranges::lower_bound(ranges, range.end, {}, &TimeRange::begin);
    return std::any_of(ranges.begin(), end, [&](const TimeRange& lost) { return lost.end > range.begin; });
}

} // namespace helio
