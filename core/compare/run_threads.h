#pragma once

#include "core/compare/process_runs.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace helio {

/// The threads of a timeline, grouped by process.
class ThreadsOfProcesses {
public:
    explicit ThreadsOfProcesses(const Timeline& timeline);

    /// Returns the threads that existed during a run, of all its processes; only the leader if the run is a single thread.
    std::vector<Row> of(const ProcessRun& run) const;

private:
    std::map<ProcessOfRow, std::vector<Row>> m_threads;
};

/// CPU time of all threads of one run; the mean if the side has several runs.
struct RunCpuTime {
    Duration recorded{}; ///< CPU time from the states of the threads; 0 without recorded states.
    Duration sampled{}; ///< CPU time from samples; 0 if no samples measure CPU time.
};

/// Measurements of the threads of all program runs of one side; they determine which breakdowns are possible.
struct RunThreads {
    bool hasThreadStates = false; ///< True if the states of at least one thread were recorded.
    bool hasCpuTimeSamples = false; ///< True if any thread has samples of CPU time.
    bool hasWakeUps = false; ///< True if wake-ups were recorded, so that critical paths can be computed.
    bool isMultithreaded = false; ///< True if any run has a thread other than its first one with states or samples.
    std::uint32_t atWork = 0; ///< Number of busiest threads that together have 99 % of a run's CPU time; the maximum over all runs.
    RunCpuTime cpuTime;
};

/// Measures the threads of the runs.
/// Threads: any but the UI thread.
/// Cost: computes the state totals of each thread, and EstimatedCpuTimes for each run.
RunThreads threadsOf(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop = {});

/// The time that a breakdown divides among causes.
enum class BreakdownBasis : std::uint8_t {
    FirstThread, ///< Wall time, by the states of the run's only or selected thread.
    /// Wall time, by the states of the first thread and, while it waits, of the threads on its critical path. The path may end early, at a
    /// limit of its computation (PathLimits).
    CriticalPath,
    SampledCpuTime, ///< CPU time of all threads, from samples; used if wait causes were not recorded.
    RecordedCpuTime, ///< CPU time of all threads, from their states; used if wake-ups were not recorded.
};
constexpr bool isCpuTime(BreakdownBasis it) { return it == BreakdownBasis::SampledCpuTime || it == BreakdownBasis::RecordedCpuTime; }

/// Returns the first basis that both sides allow: CriticalPath, then SampledCpuTime, then RecordedCpuTime. Returns FirstThread if none is
/// possible, or if all runs of both sides have a single thread.
BreakdownBasis chooseBasis(const RunThreads& a, const RunThreads& b);

/// A thread on which a part of a run's wall time was spent. The ranges of all threads of the run add up to its wall time.
struct TimedThread {
    Row thread;
    std::vector<TimeRange> ranges; ///< Ranges in which the wall time was spent on this thread, in time order.
};

/// Runs of one side of a comparison, with the data that explains their times.
/// Ownership: the caller keeps the timeline and the runs alive while this object exists.
struct SideRuns {
    const Timeline& timeline;
    std::span<const ProcessRun> runs;
    BreakdownBasis basis = BreakdownBasis::FirstThread;
    RunThreads threads{};
    /// Threads of each run with their share of the wall time, indexed by run. The inner vectors are empty if the basis is a CPU time.
    std::vector<std::vector<TimedThread>> timed{};
};

/// Returns both sides with the same breakdown basis: the most informative basis that is possible for both sides (chooseBasis()).
/// Threads: any but the UI thread.
/// Cost: like threadsOf(); if the basis is the critical path, also criticalPath() of each run.
std::pair<SideRuns, SideRuns> makeSideRuns(const Timeline& a, std::span<const ProcessRun> runsA, const Timeline& b,
                                           std::span<const ProcessRun> runsB, std::stop_token stop = {});

/// Returns a side of a comparison with the ranges of the threads that `basis` selects in each run. Does not set SideRuns::threads.
SideRuns sideOf(const Timeline& timeline, std::span<const ProcessRun> runs, BreakdownBasis basis, std::stop_token stop = {});

} // namespace helio
