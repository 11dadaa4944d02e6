#include "core/waits/path/waits.h"

#include "core/query/rows/timeline_access.h"
#include "core/query/segments/state_intervals.h"

#include <algorithm>
#include <utility>

namespace helio {

bool hasWaitCauses(const Timeline& timeline) { return !wakeupKind(timeline).empty(); }

void eachWait(const Timeline& timeline, std::span<const Row> threads, TimeRange window,
              const std::function<void(const Row&, const Interval&, const WaitCause&)>& take, std::stop_token stop)
{
    std::vector<RowState> waiting;
    for (const Row& row : threads) {
        const auto& states = statesOf(timeline, row.ref).states;
        for (std::size_t i = 0; i < states.size(); ++i)
            if (isOffCpu(states[i].meaning))
                waiting.push_back({row, State(static_cast<std::uint8_t>(i))});
    }
    WaitCauseFinder causes(timeline);
    const auto takeOne = [&](const Row& row, const Interval& wait) {
        const auto after = intervalAt(timeline, row.ref, wait.range.end);
        if (!after.empty() && !isOffCpu(meaningOf(timeline, row.ref, after.front().state)))
            take(row, wait, causes.of(row.ref, wait));
    };
    forEachStateInterval(timeline, waiting, window, takeOne, std::move(stop));
}

} // namespace helio
