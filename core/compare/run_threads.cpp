#include "core/compare/run_threads.h"

#include "core/query/rows/arrows.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/statistics.h"
#include "core/waits/path/path.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace helio {
namespace {

/// Returns the threads on the critical path of a run's first thread, in the order in which they first appear on the path.
std::vector<TimedThread> threadsOfPath(const Timeline& timeline, const ProcessRun& run, PathFinder& finder, std::stop_token stop)
{
    std::vector<TimedThread> threads;
    std::map<TrackRef, std::size_t> places;
    Timestamp end = run.range.begin;
    const auto add = [&](TrackRef thread, TimeRange range) {
        const auto [place, isNew] = places.try_emplace(thread, threads.size());
        if (isNew)
            threads.push_back({rowOf(timeline, thread).value_or(run.leader), {}});
        std::vector<TimeRange>& ranges = threads[place->second].ranges;
        if (!ranges.empty() && ranges.back().end == range.begin)
            ranges.back().end = range.end;
        else
            ranges.push_back(range);
        end = range.end;
    };
    for (const PathSegment& it : finder.find(run.leader.ref, run.range, std::move(stop)).segments)
        add(it.row, it.range);
    // The critical path ends early, at a limit of its computation (PathLimits): the remaining time counts for the first thread.
    if (end < run.range.end)
        add(run.leader.ref, {end, run.range.end});
    return threads;
}

/// Returns true if the recording contains wake-ups.
bool areWakeUpsRecorded(const Timeline& timeline)
{
    const LinkFilter choice{bitOf(LinkKind::Wakeup), false, true};
    return std::ranges::any_of(threads(timeline),
                               [&](const Row& row) { return !nextArrow(timeline, row.ref, row.life.begin - Duration(1), choice).empty(); });
}

/// Returns how many of `times`, from the first on, add up to 99 % of `sum`.
std::uint32_t countAtWork(std::span<const RunCpuTime> times, const RunCpuTime& sum, Duration RunCpuTime::*by)
{
    std::uint32_t count = 0;
    for (Duration rest = sum.*by; count < times.size() && rest > sum.*by / 100; ++count)
        rest -= times[count].*by;
    return count;
}

} // namespace

ThreadsOfProcesses::ThreadsOfProcesses(const Timeline& timeline)
{
    for (Row& row : threads(timeline))
        m_threads[processOf(row)].push_back(std::move(row));
}

std::vector<Row> ThreadsOfProcesses::of(const ProcessRun& run) const
{
    if (run.isOneThread)
        return {run.leader};
    std::vector<Row> there;
    const auto add = [&](const Row& leader) {
        if (const auto found = m_threads.find(processOf(leader)); found != m_threads.end())
            std::ranges::copy_if(found->second, std::back_inserter(there),
                                 [&](const Row& row) { return row.life.overlaps(run.range) && row.life.overlaps(leader.life); });
    };
    add(run.leader);
    std::ranges::for_each(run.children, add);
    return there;
}

RunThreads threadsOf(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop)
{
    RunThreads all;
    all.hasCpuTimeSamples = cpuTimeKind(timeline).has_value();
    all.hasWakeUps = areWakeUpsRecorded(timeline);
    const ThreadsOfProcesses threads(timeline);
    for (const ProcessRun& run : runs) {
        if (stop.stop_requested())
            break;
        const EstimatedCpuTimes uses(timeline, all.hasCpuTimeSamples ? sampledRange(timeline, run) : TimeRange{}, stop);
        std::vector<RunCpuTime> times;
        RunCpuTime sum;
        for (const Row& thread : threads.of(run)) {
            const BusyTime busy = busyTime(timeline, thread.ref, run.range.clippedTo(thread.life));
            const RunCpuTime& its = times.emplace_back(RunCpuTime{busy.busy, uses.of(thread.ref).onCpu()});
            all.hasThreadStates |= busy.isKnown;
            all.isMultithreaded |= thread.ref != run.leader.ref && (busy.isKnown || its.sampled > Duration::zero());
            sum.recorded += its.recorded;
            sum.sampled += its.sampled;
        }
        Duration RunCpuTime::*const by = sum.recorded > Duration::zero() ? &RunCpuTime::recorded : &RunCpuTime::sampled;
        std::ranges::sort(times, std::greater(), by);
        all.atWork = std::max(all.atWork, countAtWork(times, sum, by));
        all.cpuTime.recorded += sum.recorded;
        all.cpuTime.sampled += sum.sampled;
    }
    const auto count = std::max<std::int64_t>(1, std::ssize(runs));
    all.cpuTime.recorded /= count;
    all.cpuTime.sampled /= count;
    return all;
}

BreakdownBasis chooseBasis(const RunThreads& a, const RunThreads& b)
{
    using enum BreakdownBasis;
    if (!a.isMultithreaded && !b.isMultithreaded)
        return FirstThread;
    const bool areRecorded = a.hasThreadStates && b.hasThreadStates;
    if (areRecorded && a.hasWakeUps && b.hasWakeUps)
        return CriticalPath;
    if (a.hasCpuTimeSamples && b.hasCpuTimeSamples)
        return SampledCpuTime;
    return areRecorded ? RecordedCpuTime : FirstThread;
}

SideRuns sideOf(const Timeline& timeline, std::span<const ProcessRun> runs, BreakdownBasis basis, std::stop_token stop)
{
    SideRuns side{timeline, runs, basis};
    std::optional<PathFinder> finder;
    for (const ProcessRun& run : runs) {
        side.timed.emplace_back();
        if (basis == BreakdownBasis::FirstThread)
            side.timed.back() = {{run.leader, {run.range}}};
        else if (basis == BreakdownBasis::CriticalPath)
            side.timed.back() = threadsOfPath(timeline, run, finder ? *finder : finder.emplace(timeline), stop);
    }
    return side;
}

std::pair<SideRuns, SideRuns> makeSideRuns(const Timeline& a, std::span<const ProcessRun> runsA, const Timeline& b,
                                           std::span<const ProcessRun> runsB, std::stop_token stop)
{
    const RunThreads ofA = threadsOf(a, runsA, stop), ofB = threadsOf(b, runsB, stop);
    const BreakdownBasis basis = chooseBasis(ofA, ofB);
    std::pair sides{sideOf(a, runsA, basis, stop), sideOf(b, runsB, basis, stop)};
    sides.first.threads = ofA;
    sides.second.threads = ofB;
    return sides;
}

} // namespace helio
