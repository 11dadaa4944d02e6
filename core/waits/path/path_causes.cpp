#include "core/waits/path/path_causes.h"

#include "core/query/rows/timeline_access.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>

namespace helio {

void PathCauses::add(const CriticalPath& path)
{
    // Cache of the elements of m_sums for the segments of this path, keyed by kind, detail index and row. It avoids comparing texts for
    // each segment.
    std::map<std::tuple<PathKind, std::uint32_t, TrackRef>, Sum*> known;
    const auto add = [&](const PathSegment& it, std::uint32_t detail, Duration time) {
        const bool isByCause = m_by == PathGrouping::Cause;
        Sum*& sum = known[isByCause ? std::tuple(it.kind, detail, TrackRef()) : std::tuple(PathKind::Unknown, 0U, it.row)];
        if (!sum)
            sum = &sumOf(it, path.details[detail]);
        PathCause& cause = sum->cause;
        ++cause.count;
        cause.total += time;
        sum->kinds[static_cast<std::size_t>(it.kind)] += time;
        m_total += time;
        if (time > cause.most) {
            cause.most = time;
            cause.longest = it.range;
            cause.row = it.row;
        }
    };
    for (const PathSegment& it : path.segments) {
        if (it.shareCount == 0 || m_by != PathGrouping::Cause)
            add(it, it.detail, it.range.duration());
        else
            for (const PathShare& share : std::span(path.shares).subspan(it.firstShare, it.shareCount))
                add(it, share.detail, share.total);
    }
}

PathCauses::Sum& PathCauses::sumOf(const PathSegment& it, const std::string& detail)
{
    const bool isByCause = m_by == PathGrouping::Cause;
    const std::string words = isByCause ? detail
        : m_by == PathGrouping::Thread  ? threadWords(m_timeline, it.row)
                                        : m_timeline.hosts[m_timeline.traces[traceOf(m_timeline, it.row)].host].shownName();
    const auto number = [](auto id) { return std::to_string(static_cast<std::uint32_t>(id)); };
    // Second part of a key in m_sums: the detail, or the number of the thread's row or of the host. The first part is the kind, so segments
    // with equal details but different kinds are summed separately.
    const std::string key = isByCause  ? detail
        : m_by == PathGrouping::Thread ? number(it.row.store) + '/' + number(it.row.track)
                                       : number(m_timeline.traces[traceOf(m_timeline, it.row)].host);
    Sum& sum = m_sums[{isByCause ? it.kind : PathKind::Unknown, key}];
    sum.cause.detail = words;
    return sum;
}

std::vector<PathCause> PathCauses::all() const
{
    std::vector<PathCause> causes;
    for (const auto& [key, sum] : m_sums) {
        causes.push_back(sum.cause);
        causes.back().kind = static_cast<PathKind>(std::ranges::max_element(sum.kinds) - sum.kinds.begin());
    }
    std::ranges::stable_sort(causes, std::greater(), &PathCause::total);
    return causes;
}

std::vector<PathCause> causesOf(const Timeline& timeline, const CriticalPath& path, PathGrouping by)
{
    PathCauses causes(timeline, by);
    causes.add(path);
    return causes.all();
}

} // namespace helio
