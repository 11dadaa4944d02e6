#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace helio {

/// Distributes the slices of one track to lanes, in which they nest: formats with begin and end events cannot express slices that overlap
/// without nesting.
class SliceLanes {
public:
    /// Receives the end of a slice: its lane and its time in ns. In each lane, ends come in time order and before later begins.
    using End = std::function<void(std::size_t lane, std::int64_t time)>;

    /// Adds a slice that begins at `ts`; nullopt as its end means that it does not end. Slices are added in the order of their begins.
    /// First passes the ends of slices that ended before to `ended`. Returns the lane of the slice.
    std::size_t add(std::int64_t ts, std::optional<std::int64_t> end, std::int64_t depth, const End& ended)
    {
        const std::int64_t until = end.value_or(Never);
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            closeUpTo(i, ts, depth, ended);
            if (m_lanes[i].empty() || m_lanes[i].back().end >= until) {
                m_lanes[i].push_back({until, depth});
                return i;
            }
        }
        m_lanes.push_back({{until, depth}});
        return m_lanes.size() - 1;
    }

    /// True if a slice would get the first lane.
    bool fits(std::int64_t ts, std::optional<std::int64_t> end, std::int64_t depth)
    {
        if (m_lanes.empty())
            return true;
        closeUpTo(0, ts, depth, [](std::size_t, std::int64_t) {});
        return m_lanes[0].empty() || m_lanes[0].back().end >= end.value_or(Never);
    }

    /// Passes the ends of all slices that end before `time` to `ended`.
    void closeBefore(std::int64_t time, const End& ended)
    {
        for (std::size_t i = 0; i < m_lanes.size(); ++i)
            for (; !m_lanes[i].empty() && m_lanes[i].back().end < time; m_lanes[i].pop_back())
                ended(i, m_lanes[i].back().end);
    }

private:
    static constexpr std::int64_t Never = std::numeric_limits<std::int64_t>::max();
    struct Open {
        std::int64_t end = 0;
        std::int64_t depth = 0;
    };

    /// Passes the ends of the slices that a slice at `ts` cannot be in. A call without duration at the end of its caller is in the caller.
    void closeUpTo(std::size_t lane, std::int64_t ts, std::int64_t depth, const End& ended)
    {
        std::vector<Open>& open = m_lanes[lane];
        for (; !open.empty() && (open.back().end < ts || (open.back().end == ts && open.back().depth >= depth)); open.pop_back())
            ended(lane, open.back().end);
    }

    std::vector<std::vector<Open>> m_lanes; ///< Open slices of each lane, the outermost first.
};

} // namespace helio
