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

void SpanFold::add(std::int64_t begin, std::int64_t end, State state, std::uint32_t value)
{
    const std::int64_t from = std::max(begin, m_windowBegin);
    const std::int64_t to = std::min(end, m_windowEnd);
    if (from >= to)
        return;
    const std::int64_t length = end - begin;
    if (length >= m_resolution) {
        flush();
        m_out.spans.push_back({{hostTime(from), hostTime(to)}, Duration(length), 1, value, 1u << static_cast<unsigned>(state), 0, state});
        return;
    }
    const std::int64_t border = bucketEndOf(from);
    addClipped(border, from, std::min(to, border), length, state, value);
    if (to > border)
        addClipped(border + m_resolution, border, to, length, state, value);
}

void SpanFold::addTo(std::int64_t bucketEnd, std::int64_t begin, std::int64_t end, State state, std::uint32_t value)
{
    const std::int64_t from = std::max(begin, m_windowBegin);
    const std::int64_t to = std::min(end, m_windowEnd);
    if (from < to)
        addClipped(bucketEnd, from, to, end - begin, state, value);
}

void SpanFold::addClipped(std::int64_t bucketEnd, std::int64_t begin, std::int64_t end, std::int64_t length, State state,
                          std::uint32_t value)
{
    enter(bucketEnd, begin);
    m_end = end;
    m_sums[static_cast<std::size_t>(state)] += static_cast<double>(end - begin);
    m_span.mask |= 1u << static_cast<unsigned>(state);
    m_span.count += m_span.count != std::numeric_limits<std::uint32_t>::max();
    offerLongest(length, state, value);
}

void SpanFold::addNode(std::int64_t bucketEnd, const LevelNode& node, const std::uint8_t* shares)
{
    enter(bucketEnd, node.begin);
    m_end = node.end;
    const double scale = static_cast<double>(node.length()) * (1.0 / 255);
    for (std::uint32_t mask = node.mask; mask != 0; mask &= mask - 1)
        m_sums[static_cast<std::size_t>(std::countr_zero(mask))] += *shares++ * scale;
    m_span.mask |= node.mask;
    m_span.count = node.count > ~m_span.count ? std::numeric_limits<std::uint32_t>::max() : m_span.count + node.count;
    offerLongest(node.longest, node.state, node.value);
}

void SpanFold::offerLongest(std::int64_t length, State state, std::uint32_t value)
{
    if (length <= m_span.longest.count())
        return;
    m_span.longest = Duration(length);
    m_span.state = state;
    m_span.value = value;
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
