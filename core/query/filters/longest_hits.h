#pragma once

#include "core/query/filters/state_search.h"

#include <algorithm>
#include <utility>

namespace helio {

/// Keeps hits up to a limit; if there are more, the longest.
class LongestHits {
public:
    explicit LongestHits(std::size_t limit)
        : m_limit(limit)
    {
    }
    void add(const StateHit& hit)
    {
        if (m_isFull && !isLonger(hit, m_shortest))
            return;
        m_hits.push_back(hit);
        if (m_hits.size() >= 2 * m_limit)
            cut();
    }
    std::vector<StateHit> take()
    {
        if (m_hits.size() > m_limit)
            cut();
        std::ranges::stable_sort(m_hits, {}, [](const StateHit& hit) { return hit.range.begin; });
        return std::move(m_hits);
    }

private:
    static bool isLonger(const StateHit& a, const StateHit& b) { return a.range.duration() > b.range.duration(); }
    void cut()
    {
        // The sort is stable: equally long hits keep the order of the rows, so the result does not depend on when hits were dropped.
        std::ranges::stable_sort(m_hits, isLonger);
        m_hits.resize(m_limit);
        m_isFull = m_limit > 0;
        if (m_isFull)
            m_shortest = m_hits.back();
    }

    std::size_t m_limit;
    std::vector<StateHit> m_hits;
    StateHit m_shortest;
    bool m_isFull = false;
};

/// Returns the findings of a search: the kept hits, and the sums over all hits.
inline StateFindings findingsOf(LongestHits& hits, const StateSums& sums, const std::stop_token& stop)
{
    StateFindings findings;
    findings.wasStopped = stop.stop_requested();
    findings.all = sums.all();
    findings.groups = sums.groups();
    findings.hits = hits.take();
    return findings;
}

} // namespace helio
