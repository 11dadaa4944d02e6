#pragma once

#include "core/store/intervals/level_node.h"
#include "core/store/store_format.h"
#include "core/store/time_limits.h"
#include "core/store/track.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace helio {

/// Builds the spans of one query from intervals and complete level nodes, which are added in time order.
///
/// An interval of at least one resolution becomes a span of its own. Shorter intervals are folded by *bucket*: the time range between two
/// successive multiples of the resolution. Multiples count from time 0, so panning does not change which intervals are folded together.
class SpanFold {
public:
    /// `window` is clamped to TimeLimit. Ownership: `out` must outlive the fold.
    SpanFold(HostRange window, Duration resolution, HostSpans& out);

    std::int64_t windowBegin() const { return m_windowBegin; }
    std::int64_t windowEnd() const { return m_windowEnd; }
    std::int64_t resolution() const { return m_resolution; }

    /// Returns the end of the bucket that contains `time`. A bucket is identified by its end.
    std::int64_t bucketEndOf(std::int64_t time)
    {
        if (time < m_cachedEnd && time >= m_cachedEnd - m_resolution)
            return m_cachedEnd;
        std::int64_t quotient = time / m_resolution;
        quotient -= time % m_resolution < 0;
        m_cachedEnd = (quotient + 1) * m_resolution;
        return m_cachedEnd;
    }

    /// Adds a complete interval; it is cut at the time range and at bucket borders.
    void add(std::int64_t begin, std::int64_t end, State state, std::uint32_t value);
    /// Adds an interval shorter than the resolution to the bucket that ends at `bucketEnd`, even if a part of the interval lies outside of
    /// this bucket.
    void addTo(std::int64_t bucketEnd, std::int64_t begin, std::int64_t end, State state, std::uint32_t value);
    /// Adds intervals and gaps (GapState) inside the time range, in time order. Equivalent to add() for each of them, at a third of the
    /// cost.
    template <typename Items> void addRun(const Items& items);
    /// Adds a node inside the time range to the bucket that ends at `bucketEnd`. `shares` has one element per state of the node's mask.
    void addNode(std::int64_t bucketEnd, const LevelNode& node, const std::uint8_t* shares);

    /// Appends the span of the open bucket.
    void finish() { flush(); }

private:
    /// Value of m_bucketEnd for "no bucket"; no bucket ends at this time, because times are clamped to TimeLimit.
    static constexpr std::int64_t NoBucket = INT64_MIN;

    void enter(std::int64_t bucketEnd, std::int64_t begin)
    {
        if (m_bucketEnd == bucketEnd)
            return;
        flush();
        m_bucketEnd = bucketEnd;
        m_begin = begin;
    }
    void addClipped(std::int64_t bucketEnd, std::int64_t begin, std::int64_t end, std::int64_t length, State state, std::uint32_t value);
    void addCut(std::int64_t begin, std::int64_t end, std::int64_t length, State state, std::uint32_t value);
    void addLong(std::int64_t from, std::int64_t to, std::int64_t length, State state, std::uint32_t value);
    void offerLongest(std::int64_t length, State state, std::uint32_t value);
    void flush();
    void appendShares(std::int64_t length);

    HostSpans& m_out;
    std::int64_t m_windowBegin;
    std::int64_t m_windowEnd;
    std::int64_t m_resolution;
    std::int64_t m_cachedEnd;

    // The open bucket: the span that flush() appends to the result. The members after m_bucketEnd are valid only while a bucket is open.
    std::int64_t m_bucketEnd = NoBucket; ///< End of the open bucket; NoBucket if no bucket is open.
    std::int64_t m_begin = 0;
    std::int64_t m_end = 0;
    std::int64_t m_longest = 0;
    std::uint32_t m_count = 0;
    std::uint32_t m_value = 0;
    std::uint32_t m_mask = 0;
    State m_state{};
    std::array<double, 32> m_sums{}; ///< Time in each state in ns; 0 for states that are not in the mask.
};

inline void SpanFold::add(std::int64_t begin, std::int64_t end, State state, std::uint32_t value)
{
    const std::int64_t from = std::max(begin, m_windowBegin);
    const std::int64_t to = std::min(end, m_windowEnd);
    if (from >= to)
        return;
    const std::int64_t length = end - begin;
    if (length >= m_resolution)
        return addLong(from, to, length, state, value);
    const std::int64_t border = bucketEndOf(from);
    if (to <= border) // Nearly always true: the interval does not cross the border of its bucket.
        addClipped(border, from, to, length, state, value);
    else
        addCut(from, to, length, state, value);
}

template <typename Items> void SpanFold::addRun(const Items& items)
{
    // Most items are in the same bucket as the previous item, so the open span is kept in local variables (registers).
    std::int64_t bucketEnd = m_bucketEnd;
    std::int64_t end = m_end;
    std::int64_t longest = m_longest;
    std::uint32_t count = m_count;
    std::uint32_t mask = m_mask;
    const auto keep = [&] {
        m_end = end;
        m_longest = longest;
        m_count = count;
        m_mask = mask;
    };
    for (const auto& item : items) {
        if (item.state == format::GapState)
            continue;
        const std::int64_t length = item.end - item.begin;
        if (item.end > bucketEnd || item.begin < bucketEnd - m_resolution || length >= m_resolution) {
            keep();
            add(item.begin, item.end, State(item.state), item.value);
            bucketEnd = m_bucketEnd;
            end = m_end;
            longest = m_longest;
            count = m_count;
            mask = m_mask;
            continue;
        }
        end = item.end;
        m_sums[item.state] += static_cast<double>(length);
        mask |= 1u << item.state;
        count += count != std::numeric_limits<std::uint32_t>::max();
        if (length > longest) {
            longest = length;
            m_state = State(item.state);
            m_value = item.value;
        }
    }
    keep();
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
    m_mask |= 1u << static_cast<unsigned>(state);
    m_count += m_count != std::numeric_limits<std::uint32_t>::max();
    offerLongest(length, state, value);
}

inline void SpanFold::addNode(std::int64_t bucketEnd, const LevelNode& node, const std::uint8_t* shares)
{
    enter(bucketEnd, node.begin);
    m_end = node.end;
    const double scale = static_cast<double>(node.length()) * (1.0 / 255);
    for (std::uint32_t mask = node.mask; mask != 0; mask &= mask - 1)
        m_sums[static_cast<std::size_t>(std::countr_zero(mask))] += *shares++ * scale;
    m_mask |= node.mask;
    m_count = node.count > ~m_count ? std::numeric_limits<std::uint32_t>::max() : m_count + node.count;
    offerLongest(node.longest, node.state, node.value);
}

inline void SpanFold::offerLongest(std::int64_t length, State state, std::uint32_t value)
{
    if (length <= m_longest)
        return;
    m_longest = length;
    m_state = state;
    m_value = value;
}

} // namespace helio
