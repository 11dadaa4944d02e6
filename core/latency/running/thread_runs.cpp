#include "core/latency/running/thread_runs.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {
namespace {

/// Merges adjacent runs on the same CPU. The row of a CPU may split a thread's time, because it also shows changes of the CPU that do not
/// concern the thread.
void joinNeighbours(std::vector<ThreadRun>& runs)
{
    std::size_t last = 0;
    for (std::size_t i = 1; i < runs.size(); ++i)
        if (runs[i].cpu == runs[last].cpu && runs[i].range.begin == runs[last].range.end)
            runs[last].range.end = runs[i].range.end;
        else
            runs[++last] = runs[i];
    runs.resize(std::min(runs.size(), last + 1));
}

} // namespace

ThreadRuns::ThreadRuns(const Timeline& timeline, std::stop_token stop)
{
    for (Row row : cpus(timeline)) {
        const TrackRef threads = attributeOf(timeline, row.ref, TrackRole::CpuThread);
        const Track* const track = trackOf(timeline, threads);
        if (!track)
            continue;
        row.ref = threads;
        row.intervals = track->intervals;
        forEachRowInterval(
            timeline, row, row.life,
            [&](const Interval& had) {
                const TrackRef thread{threads.store, TrackId{had.value}};
                if (isOnCpu(meaningOf(timeline, threads, had.state)) && trackOf(timeline, thread))
                    m_runs[thread].push_back({had.range, row.cpu});
            },
            stop);
    }
    for (auto& [thread, runs] : m_runs) {
        std::ranges::stable_sort(runs, {}, [](const ThreadRun& run) { return run.range.begin; });
        joinNeighbours(runs);
    }
}

std::span<const ThreadRun> ThreadRuns::of(TrackRef thread) const
{
    const auto found = m_runs.find(thread);
    return found == m_runs.end() ? std::span<const ThreadRun>() : found->second;
}

} // namespace helio
