#include "core/query/rows/lost_times.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/statistics.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

/// Sorts ranges and joins those that overlap or adjoin.
void joinRanges(std::vector<TimeRange>& ranges)
{
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    std::vector<TimeRange> apart;
    for (const TimeRange& it : ranges)
        if (!apart.empty() && it.begin <= apart.back().end)
            apart.back().end = std::max(apart.back().end, it.end);
        else
            apart.push_back(it);
    ranges = std::move(apart);
}

bool anyTouchesOrAdjoins(const std::vector<TimeRange>& ranges, TimeRange range)
{
    const auto first = std::ranges::lower_bound(ranges, range.begin, {}, &TimeRange::end);
    return first != ranges.end() && first->begin <= range.end;
}

} // namespace

LostEventTimes::LostEventTimes(const Timeline& timeline, TimeRange window)
    : m_hosts(timeline.hosts.size())
{
    for (const LossRange& loss : losses(timeline, window)) {
        const std::uint32_t host = timeline.traces[loss.trace].host;
        m_hosts[host].push_back(loss.range);
        m_cpus[{host, loss.cpu < 0 ? AnyCpu : loss.cpu}].push_back(loss.range);
    }
    for (auto& ranges : m_hosts)
        joinRanges(ranges);
    for (auto& [cpu, ranges] : m_cpus)
        joinRanges(ranges);
}

bool LostEventTimes::touch(std::uint32_t host, TimeRange range) const
{
    const auto& ranges = m_hosts[host];
    const auto first = std::ranges::upper_bound(ranges, range.begin, {}, &TimeRange::end);
    return first != ranges.end() && first->begin < range.end;
}

bool LostEventTimes::touchOrAdjoin(std::uint32_t host, TimeRange range) const { return anyTouchesOrAdjoins(m_hosts[host], range); }

bool LostEventTimes::touchOrAdjoin(std::uint32_t host, std::int32_t cpu, TimeRange range) const
{
    for (const std::int32_t number : {cpu, AnyCpu})
        if (const auto found = m_cpus.find({host, number}); found != m_cpus.end() && anyTouchesOrAdjoins(found->second, range))
            return true;
    return false;
}

} // namespace helio
