#include "core/query/path/path.h"

#include <algorithm>
#include <map>
#include <span>

namespace helio {

std::string_view wordOf(PathKind kind)
{
    constexpr std::string_view Words[PathKinds] = {"running", "interrupted", "page-fault", "wait-cpu", "preempted", "stolen",
                                                   "disk",    "network",     "timer",      "lock",     "pipe",      "process",
                                                   "ipi",     "input",       "blocked",    "unknown"};
    return Words[static_cast<std::size_t>(kind)];
}

std::vector<PathSum> sumsOf(const CriticalPath& path)
{
    std::map<std::pair<PathKind, std::uint32_t>, PathSum> sums;
    const auto add = [&](const PathStretch& it, std::uint32_t detail, Duration total) {
        PathSum& sum = sums[{it.kind, detail}];
        sum.kind = it.kind;
        sum.detail = detail;
        ++sum.count;
        sum.total += total;
        if (total > sum.most) {
            sum.most = total;
            sum.longest = it.range;
            sum.row = it.row;
        }
    };
    for (const PathStretch& it : path.stretches) {
        if (it.shares == 0)
            add(it, it.detail, it.range.duration());
        for (const PathShare& share : std::span(path.shares).subspan(it.firstShare, it.shares))
            add(it, share.detail, share.total);
    }
    std::vector<PathSum> all;
    for (const auto& [key, sum] : sums)
        all.push_back(sum);
    std::ranges::stable_sort(all, std::greater(), &PathSum::total);
    return all;
}

} // namespace helio
