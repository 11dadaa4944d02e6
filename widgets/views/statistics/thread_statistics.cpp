#include "widgets/views/statistics/thread_statistics.h"

#include <algorithm>

namespace helio {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

bool isOnCpu(const QString& state) { return state.startsWith("running") || state == "page-fault" || state == "interrupted"; }

} // namespace

std::vector<ThreadStatistics> threadStatistics(const Timeline& timeline, TimeRange range, std::stop_token stop)
{
    std::vector<ThreadStatistics> result;
    const std::vector<LossRange> gaps = losses(timeline, range);
    for (const Row& row : rows(timeline, "control-flow")) {
        if (stop.stop_requested())
            return result;
        if (!row.ref.isValid() || row.kind != "thread" || !row.life.overlaps(range))
            continue;
        ThreadStatistics line{row.ref, text(row.label), row.tid, text(statesOf(timeline, row.ref).id), {}, false, {}};
        const bool hasGaps = std::ranges::any_of(gaps, [&](const LossRange& gap) { return gap.trace == row.ref.trace; });
        for (const StateTotal& total : totals(timeline, row.ref, range)) {
            const QString state = text(stateName(timeline, row.ref, total.state));
            if (isOnCpu(state))
                line.onCpu += total.total;
            line.isLeast |= hasGaps && state == "unknown";
            line.parts.push_back({state, total.count, total.total, total.min, total.max});
        }
        if (!line.parts.empty())
            result.push_back(std::move(line));
    }
    std::ranges::stable_sort(result, [](const auto& a, const auto& b) { return a.onCpu > b.onCpu; });
    return result;
}

} // namespace helio
