#include "core/query/path/path_causes.h"

#include <algorithm>
#include <functional>
#include <span>

namespace helio {

void PathCauses::add(const CriticalPath& path)
{
    std::map<std::pair<PathKind, std::uint32_t>, PathCause*> known; // Texts are compared once for each.
    const auto add = [&](const PathStretch& it, std::uint32_t detail, Duration time) {
        PathCause*& cause = known[{it.kind, detail}];
        if (!cause)
            cause = &causeOf(it.kind, path.details[detail]);
        ++cause->count;
        cause->total += time;
        m_total += time;
        if (time > cause->most) {
            cause->most = time;
            cause->longest = it.range;
            cause->row = it.row;
        }
    };
    for (const PathStretch& it : path.stretches) {
        if (it.shares == 0)
            add(it, it.detail, it.range.duration());
        for (const PathShare& share : std::span(path.shares).subspan(it.firstShare, it.shares))
            add(it, share.detail, share.total);
    }
}

PathCause& PathCauses::causeOf(PathKind kind, const std::string& detail)
{
    PathCause& cause = m_causes[{kind, detail}];
    cause.kind = kind;
    cause.detail = detail;
    return cause;
}

std::vector<PathCause> PathCauses::all() const
{
    std::vector<PathCause> causes;
    for (const auto& [key, cause] : m_causes)
        causes.push_back(cause);
    std::ranges::stable_sort(causes, std::greater(), &PathCause::total);
    return causes;
}

std::vector<PathCause> causesOf(const CriticalPath& path)
{
    PathCauses causes;
    causes.add(path);
    return causes.all();
}

} // namespace helio
