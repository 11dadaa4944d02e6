#include "core/latency/migrations/migrations.h"

#include "core/query/rows/interval_walk.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {
namespace {

/// States of a thread between two of its runs.
struct Between {
    Duration waited{};
    bool isAsleepLast = false;
    bool isKnown = true;
};

/// Returns the states between runs, indexed by the run after them.
std::vector<Between> betweenRuns(const Timeline& timeline, const Row& thread, std::span<const ThreadRun> runs, const std::stop_token& stop)
{
    std::vector<Between> between(runs.size());
    std::size_t next = 1; // Index of the first run that may begin after the interval's beginning.
    forEachRowInterval(
        timeline, thread, thread.life,
        [&](const Interval& it) {
            const StateCategory meaning = meaningOf(timeline, thread.ref, it.state);
            const bool isKnown = isRunnable(meaning) || isOffCpu(meaning);
            if (isOnCpu(meaning))
                return;
            while (next < runs.size() && runs[next].range.begin <= it.range.begin)
                ++next;
            for (std::size_t i = next; i < runs.size() && runs[i - 1].range.end < it.range.end; ++i) {
                const TimeRange part = it.range.clippedTo({runs[i - 1].range.end, runs[i].range.begin});
                if (part.isEmpty())
                    continue;
                between[i].isKnown &= isKnown;
                between[i].waited += isRunnable(meaning) ? part.duration() : Duration(0);
                between[i].isAsleepLast = !isRunnable(meaning);
            }
        },
        stop);
    return between;
}

CpuDistance distanceIn(const std::map<std::uint32_t, CpuTopology>& topologies, std::uint32_t host, std::int32_t from, std::int32_t to)
{
    const auto topology = topologies.find(host);
    return topology != topologies.end() ? topology->second.distance(from, to) : CpuTopology().distance(from, to);
}

} // namespace

std::vector<ThreadSwitchIns> collectSwitchIns(const Timeline& timeline, const ThreadRuns& runs,
                                              const std::map<std::uint32_t, CpuTopology>& topologies, TimeRange window,
                                              std::stop_token stop)
{
    std::vector<ThreadSwitchIns> all;
    for (const Row& thread : threads(timeline)) {
        const auto its = runs.of(thread.ref);
        if (its.empty() || thread.tid == 0 || stop.stop_requested())
            continue;
        ThreadSwitchIns moves{thread.ref, {}, 0};
        const auto between = betweenRuns(timeline, thread, its, stop);
        for (std::size_t i = 1; i < its.size(); ++i) {
            if (!window.contains(its[i].range.begin))
                continue;
            if (!between[i].isKnown) {
                ++moves.unseen;
                continue;
            }
            moves.all.push_back({its[i].range, its[i].cpu, distanceIn(topologies, thread.host, its[i - 1].cpu, its[i].cpu),
                                 its[i].range.begin - its[i - 1].range.end,
                                 between[i].isAsleepLast ? std::nullopt : std::optional(between[i].waited)});
        }
        if (!moves.all.empty() || moves.unseen > 0)
            all.push_back(std::move(moves));
    }
    return all;
}

void SwitchInSums::add(const SwitchIn& it)
{
    ++count;
    off += it.off;
    if (!it.waited)
        return;
    waited += *it.waited;
    if (waits++ == 0 || *it.waited > longestWait) {
        longestWait = *it.waited;
        longestWaitAt = it.run.begin;
    }
}

} // namespace helio
