#include "core/query/rows/wait_parts.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/interval_walk.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/statistics.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace helio {
namespace {

constexpr std::string_view Running = "running"; ///< What a CPU's row of threads says where it has one.

/// What the parts lack to the range belongs to nobody known.
void complete(std::vector<WaitPart>& parts, WaitPart rest, TimeRange range)
{
    rest.total = range.duration();
    for (const WaitPart& part : parts)
        rest.total -= part.total;
    if (rest.total > Duration())
        parts.push_back(std::move(rest));
    std::ranges::stable_sort(parts, std::greater(), &WaitPart::total);
}

std::vector<WaitPart> statesOfWaker(const Timeline& timeline, TrackRef waker, TimeRange range)
{
    std::vector<WaitPart> parts;
    const std::string set = statesOf(timeline, waker).id;
    for (const StateTotal& it : totals(timeline, waker, range))
        parts.push_back({waker, set, std::string(stateName(timeline, waker, it.state)), it.total});
    complete(parts, {waker, {}, {}, {}}, range);
    return parts;
}

std::vector<WaitPart> threadsOn(const Timeline& timeline, TrackRef threads, TimeRange range, std::stop_token stop)
{
    const auto row = rowOf(timeline, threads);
    std::map<std::pair<std::string_view, std::uint32_t>, Duration> sums; ///< By state and, of "running", thread.
    if (row)
        eachInterval(
            timeline, *row, range,
            [&](const Interval& it) {
                const std::string_view state = stateName(timeline, threads, it.state);
                sums[{state, state == Running ? it.value : 0}] += it.range.duration();
            },
            stop);
    std::vector<WaitPart> parts;
    for (const auto& [of, total] : sums)
        parts.push_back(
            {of.first == Running ? TrackRef{threads.trace, TrackId{of.second}} : TrackRef(), "cpu-thread", std::string(of.first), total});
    complete(parts, {{}, "cpu-thread", "unknown", {}}, range);
    return parts;
}

} // namespace

WaitParts waitParts(const Timeline& timeline, TrackRef thread, const Interval& state, const StateCause& cause, std::stop_token stop)
{
    const bool isForCpu = cause.nextCpu != NoCpu;
    if (isForCpu) {
        const TrackRef threads = attributeOf(timeline, cpuRow(timeline, thread.trace, cause.nextCpu), "cpu-thread");
        return {WaitParts::Of::Cpu, cause.nextCpu, threadsOn(timeline, threads, state.range, stop)};
    }
    if (!cause.waking || cause.isBirth || cause.waking->toTime < state.range.end)
        return {};
    if (isOfThread(timeline, *cause.waking))
        return {WaitParts::Of::Waker, NoCpu, statesOfWaker(timeline, cause.waking->from, state.range)};
    return {WaitParts::Of::Event, NoCpu, {{cause.waking->from, {}, {}, state.range.duration()}}};
}

} // namespace helio
