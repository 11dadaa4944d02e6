#include "core/query/path/path_causes.h"

#include <algorithm>
#include <functional>

namespace helio {

void PathCauses::add(const CriticalPath& path)
{
    for (const PathSum& sum : sumsOf(path)) {
        PathCause& cause = m_causes[{sum.kind, path.details[sum.detail]}];
        cause.kind = sum.kind;
        cause.detail = path.details[sum.detail];
        cause.count += sum.count;
        cause.total += sum.total;
        m_total += sum.total;
        if (sum.most > cause.most) {
            cause.most = sum.most;
            cause.longest = sum.longest;
            cause.row = sum.row;
        }
    }
}

std::vector<PathCause> PathCauses::all() const
{
    std::vector<PathCause> causes;
    for (const auto& [key, cause] : m_causes)
        causes.push_back(cause);
    std::ranges::stable_sort(causes, std::greater(), &PathCause::total);
    return causes;
}

} // namespace helio
