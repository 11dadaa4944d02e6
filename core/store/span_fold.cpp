#include "core/store/span_fold.h"

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

void SpanFold::flush()
{
    if (m_span.count == 0)
        return;
    m_span.range = {hostTime(m_begin), hostTime(m_end)};
    m_span.firstShare = static_cast<std::uint32_t>(m_out.shares.size());
    if (m_span.count > 1)
        appendShares(m_end - m_begin);
    for (std::uint32_t mask = m_span.mask; mask != 0; mask &= mask - 1)
        m_sums[static_cast<std::size_t>(std::countr_zero(mask))] = 0;
    m_out.spans.push_back(m_span);
    m_span = none();
}

void SpanFold::appendShares(std::int64_t length)
{
    const std::size_t first = m_out.shares.size();
    m_out.shares.resize(first + static_cast<std::size_t>(std::popcount(m_span.mask)));
    roundShares(m_sums.data(), m_span.mask, static_cast<double>(length), m_out.shares.data() + first);
}

} // namespace helio
