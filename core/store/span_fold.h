#pragma once

#include "core/store/level_node.h"
#include "core/store/time_limits.h"
#include "core/store/track.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace helio {

/// Appends the spans of one query, from intervals and whole level nodes told in time order.
///
/// An interval of at least one resolution becomes a span of its own. Shorter ones fold by *bucket*: the stretch between two
/// multiples of the resolution, counted from time 0, so that panning does not change what folds together.
class SpanFold {
public:
    /// Times are limited to TimeLimit; `out` outlives the fold.
    SpanFold(HostRange window, Duration resolution, HostSpans& out);

    std::int64_t windowBegin() const { return m_windowBegin; }
    std::int64_t windowEnd() const { return m_windowEnd; }
    std::int64_t resolution() const { return m_resolution; }

    /// The end of the bucket that `time` lies in: what names a bucket here.
    std::int64_t bucketEndOf(std::int64_t time)
    {
        if (time < m_cachedEnd && time >= m_cachedEnd - m_resolution)
            return m_cachedEnd;
        std::int64_t quotient = time / m_resolution;
        quotient -= time % m_resolution < 0;
        m_cachedEnd = (quotient + 1) * m_resolution;
        return m_cachedEnd;
    }

    /// An interval, whole; cut here at the window and at bucket borders.
    void add(std::int64_t begin, std::int64_t end, State state, std::uint32_t value);
    /// An interval shorter than the resolution that belongs to a bucket even where it leaves it.
    void addTo(std::int64_t bucketEnd, std::int64_t begin, std::int64_t end, State state, std::uint32_t value);
    /// A node inside the window that belongs to a bucket. `shares`: one for each state of its mask.
    void addNode(std::int64_t bucketEnd, const LevelNode& node, const std::uint8_t* shares);

    /// Appends what is still open.
    void finish() { flush(); }

private:
    void enter(std::int64_t bucketEnd, std::int64_t begin)
    {
        if (m_span.count != 0 && m_bucketEnd == bucketEnd)
            return;
        flush();
        m_bucketEnd = bucketEnd;
        m_begin = begin;
    }
    void addClipped(std::int64_t bucketEnd, std::int64_t begin, std::int64_t end, std::int64_t length, State state, std::uint32_t value);
    void offerLongest(std::int64_t length, State state, std::uint32_t value);
    void flush();
    static HostSpan none()
    {
        HostSpan span;
        span.count = 0;
        return span;
    }
    void appendShares(std::int64_t length);

    HostSpans& m_out;
    std::int64_t m_windowBegin;
    std::int64_t m_windowEnd;
    std::int64_t m_resolution;
    std::int64_t m_cachedEnd;

    // The open fold; m_span.count == 0: none.
    std::int64_t m_bucketEnd = 0;
    std::int64_t m_begin = 0;
    std::int64_t m_end = 0;
    HostSpan m_span = none();
    std::array<double, 32> m_sums{}; ///< ns in each state; only states of the mask are not 0.
};

inline void SpanFold::add(std::int64_t begin, std::int64_t end, State state, std::uint32_t value)
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

inline void SpanFold::addTo(std::int64_t bucketEnd, std::int64_t begin, std::int64_t end, State state, std::uint32_t value)
{
    const std::int64_t from = std::max(begin, m_windowBegin);
    const std::int64_t to = std::min(end, m_windowEnd);
    if (from < to)
        addClipped(bucketEnd, from, to, end - begin, state, value);
}

inline void SpanFold::addClipped(std::int64_t bucketEnd, std::int64_t begin, std::int64_t end, std::int64_t length, State state,
                                 std::uint32_t value)
{
    enter(bucketEnd, begin);
    m_end = end;
    m_sums[static_cast<std::size_t>(state)] += static_cast<double>(end - begin);
    m_span.mask |= 1u << static_cast<unsigned>(state);
    m_span.count += m_span.count != std::numeric_limits<std::uint32_t>::max();
    offerLongest(length, state, value);
}

inline void SpanFold::addNode(std::int64_t bucketEnd, const LevelNode& node, const std::uint8_t* shares)
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

inline void SpanFold::offerLongest(std::int64_t length, State state, std::uint32_t value)
{
    if (length <= m_span.longest.count())
        return;
    m_span.longest = Duration(length);
    m_span.state = state;
    m_span.value = value;
}

} // namespace helio
