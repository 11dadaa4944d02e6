#include "core/query/rows/wait_breakdown.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>
#include <utility>

namespace helio {
namespace {

/// Adds `rest` as a part with the time of the range that no other part covers, and sorts the parts, longest first.
void complete(std::vector<WaitShare>& parts, WaitShare rest, TimeRange range)
{
    rest.total = range.duration();
    for (const WaitShare& part : parts)
        rest.total -= part.total;
    if (rest.total > Duration())
        parts.push_back(std::move(rest));
    std::ranges::stable_sort(parts, std::greater(), &WaitShare::total);
}

std::vector<WaitShare> statesOfWaker(const Timeline& timeline, TrackRef waker, TimeRange range)
{
    std::vector<WaitShare> parts;
    for (const StateTotal& it : totals(timeline, waker, range))
        parts.push_back({waker, stateKind(timeline, waker, it.state), it.total});
    complete(parts, {waker, {}, {}}, range);
    return parts;
}

std::vector<WaitShare> threadsOn(const Timeline& timeline, TrackRef threads, TimeRange range, std::stop_token stop)
{
    const auto row = rowOf(timeline, threads);
    /// Total time by state and thread; the thread is 0 for states without a thread.
    std::map<std::pair<State, std::uint32_t>, Duration> sums;
    const auto hasThread = [&](State state) { return isOnCpu(meaningOf(timeline, threads, state)); };
    if (row)
        forEachRowInterval(
            timeline, *row, range,
            [&](const Interval& it) {
                sums[{it.state, hasThread(it.state) ? it.value : 0}] += it.range.duration();
            },
            stop);
    std::vector<WaitShare> parts;
    for (const auto& [of, total] : sums)
        parts.push_back({hasThread(of.first) ? TrackRef{threads.store, TrackId{of.second}} : TrackRef(),
                         stateKind(timeline, threads, of.first), total});
    complete(parts, {{}, stateThatMeans(timeline, threads, StateCategory::Unknown), {}}, range);
    return parts;
}

} // namespace

WaitBreakdown waitBreakdown(const Timeline& timeline, TrackRef thread, const Interval& state, const StateCause& cause, std::stop_token stop)
{
    const bool isForCpu = cause.nextCpu != NoCpu;
    if (isForCpu) {
        const TrackRef threads = attributeOf(timeline, cpuRow(timeline, traceOf(timeline, thread), cause.nextCpu), TrackRole::CpuThread);
        return {WaitBreakdown::Of::Cpu, cause.nextCpu, threadsOn(timeline, threads, state.range, stop)};
    }
    if (!cause.waking || cause.isFirstWakeup || cause.waking->toTime < state.range.end)
        return {};
    if (isOfThread(timeline, *cause.waking))
        return {WaitBreakdown::Of::Waker, NoCpu, statesOfWaker(timeline, cause.waking->from, state.range)};
    return {WaitBreakdown::Of::Event, NoCpu, {{cause.waking->from, {}, state.range.duration()}}};
}

} // namespace helio
