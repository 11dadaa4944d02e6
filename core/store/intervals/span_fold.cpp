#include "core/store/intervals/span_fold.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace helio {

SpanFold::SpanFold(HostRange window, Duration resolution, HostSpans& out)
    : m_out(out)
    , m_windowBegin(limitedTime(window.begin))
    , m_windowEnd(limitedTime(window.end))
    , m_resolution(std::clamp<std::int64_t>(resolution.count(), 1, TimeLimit / 2))
    , m_cachedEnd(0)
{
    assert(resolution.count() > 0);
}

void SpanFold::addLong(std::int64_t from, std::int64_t to, std::int64_t length, State state, std::uint32_t value)
{
    flush();
    m_out.spans.push_back({{hostTime(from), hostTime(to)}, Duration(length), 1, value, 1u << static_cast<unsigned>(state), 0, state});
}

/// Adds an interval that is shorter than the resolution and crosses the border of two buckets: adds each part to its bucket.
void SpanFold::addCut(std::int64_t begin, std::int64_t end, std::int64_t length, State state, std::uint32_t value)
{
    const std::int64_t border = bucketEndOf(begin);
    addClipped(border, begin, border, length, state, value);
    addClipped(border + m_resolution, border, end, length, state, value);
}

void SpanFold::flush()
{
    if (m_bucketEnd == NoBucket)
        return;
    const auto firstShare = static_cast<std::uint32_t>(m_out.shares.size());
    if (m_count > 1)
        appendShares(m_end - m_begin);
    for (std::uint32_t mask = m_mask; mask != 0; mask &= mask - 1)
        m_sums[static_cast<std::size_t>(std::countr_zero(mask))] = 0;
    m_out.spans.push_back({{hostTime(m_begin), hostTime(m_end)}, Duration(m_longest), m_count, m_value, m_mask, firstShare, m_state});
    m_bucketEnd = NoBucket;
    m_longest = 0;
    m_count = 0;
    m_mask = 0;
}

void SpanFold::appendShares(std::int64_t length)
{
    std::array<std::uint8_t, 32> shares;
    const std::uint8_t* const end = roundShares(m_sums.data(), m_mask, static_cast<double>(length), shares.data());
    m_out.shares.insert(m_out.shares.end(), static_cast<const std::uint8_t*>(shares.data()), end);
}

} // namespace helio
