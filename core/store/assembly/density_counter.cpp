#include "core/store/assembly/density_counter.h"

#include "core/store/time_limits.h"

#include <algorithm>

namespace helio {

HostRange DensityCounter::add(HostTimestamp time, std::uint64_t events)
{
    const std::int64_t at = limitedTime(time);
    m_events += events;
    if (static_cast<std::uint64_t>((at >> m_shift) - m_first) >= m_counts.size())
        makeRoom(at);
    const std::int64_t bucket = at >> m_shift;
    m_counts[static_cast<std::size_t>(bucket - m_first)] += events;
    const std::int64_t length = std::int64_t(1) << m_shift;
    return {hostTime(bucket * length), hostTime((bucket + 1) * length)};
}

void DensityCounter::makeRoom(std::int64_t time)
{
    if (m_counts.empty())
        m_first = time >> m_shift;
    const auto last = [this] { return m_first + static_cast<std::int64_t>(m_counts.size()) - 1; };
    while (std::max(time >> m_shift, last()) - std::min(time >> m_shift, m_first) >= static_cast<std::int64_t>(MaxBuckets))
        halve();
    const std::int64_t bucket = time >> m_shift;
    if (bucket < m_first) {
        m_counts.insert(m_counts.begin(), static_cast<std::size_t>(m_first - bucket), 0);
        m_first = bucket;
    }
    if (bucket > last())
        m_counts.resize(static_cast<std::size_t>(bucket - m_first) + 1, 0);
}

void DensityCounter::halve()
{
    const std::int64_t first = m_first >> 1;
    std::vector<std::uint64_t> counts;
    if (!m_counts.empty())
        counts.resize(static_cast<std::size_t>(((m_first + static_cast<std::int64_t>(m_counts.size()) - 1) >> 1) - first) + 1, 0);
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        counts[static_cast<std::size_t>(((m_first + static_cast<std::int64_t>(i)) >> 1) - first)] += m_counts[i];
    m_counts = std::move(counts);
    m_first = first;
    ++m_shift;
}

std::vector<DensityBucket> DensityCounter::buckets() const
{
    std::vector<DensityBucket> result;
    result.reserve(m_counts.size());
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        result.push_back({hostTime((m_first + static_cast<std::int64_t>(i)) * (std::int64_t(1) << m_shift)), m_counts[i]});
    return result;
}

} // namespace helio
