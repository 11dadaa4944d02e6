#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <vector>

namespace helio::kernel {

/// The gaps in one CPU's events, in time order. Overlapping gaps (several channels may lose events at once) are merged.
///
/// Only the latest few hundred gaps are kept, so that a trace made of gaps cannot fill the memory. Waits that began before the kept gaps
/// are assumed to be older than all gaps.
class Gaps {
public:
    /// Adds a gap. Returns false if it was merged with the last one.
    bool add(HostRange range)
    {
        if (!m_recent.empty() && range.begin < m_recent.back().end) {
            m_recent.back().end = m_end = std::max(m_end, range.end);
            return false;
        }
        if (m_recent.size() == 2 * Kept) {
            m_recent.erase(m_recent.begin(), m_recent.begin() + Kept);
            m_dropped += Kept;
        }
        m_recent.push_back(range);
        m_end = range.end;
        return true;
    }

    bool isEmpty() const { return m_recent.empty(); }
    std::uint32_t count() const { return m_dropped + static_cast<std::uint32_t>(m_recent.size()); }
    bool isOpenAt(HostTimestamp at) const { return at < m_end; }
    HostTimestamp end() const { return m_end; } ///< End of the last gap.

    /// Returns the beginning of a gap; HostTimestamp::min() if it is no longer kept. Requires: number < count().
    HostTimestamp beginOf(std::uint32_t number) const
    {
        return number < m_dropped ? HostTimestamp::min() : m_recent[number - m_dropped].begin;
    }

    /// Returns the beginning of the first gap that ends after `since`; HostTimestamp::max() if there is none.
    HostTimestamp firstAfter(HostTimestamp since) const
    {
        const auto isOver = [since](const HostRange& range) { return range.end <= since; };
        const auto first = std::partition_point(m_recent.begin(), m_recent.end(), isOver);
        return first != m_recent.end() ? first->begin : HostTimestamp::max();
    }

private:
    static constexpr int Kept = 512;

    std::vector<HostRange> m_recent;
    std::uint32_t m_dropped = 0;
    HostTimestamp m_end = HostTimestamp::min();
};

} // namespace helio::kernel
