#pragma once

#include "core/compare/process_runs.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace helio {

/// The threads of a timeline, by process.
class ThreadsOfProcesses {
public:
    explicit ThreadsOfProcesses(const Timeline& timeline);

    /// Returns the threads that were there during a run; only the leader if the run is one thread.
    std::vector<Row> of(const ProcessRun& run) const;

private:
    std::map<ProcessOfRow, std::vector<Row>> m_threads;
};

/// CPU time of all threads of one run: the mean over a side's runs.
struct RunCpuTime {
    Duration recorded{}; ///< From the threads' states; 0 without states.
    Duration sampled{}; ///< From samples of CPU time; 0 without samples.
};

/// Facts about the threads of a side's runs.
struct RunThreads {
    bool hasThreadStates = false; ///< True if states of at least one of the threads were recorded.
    bool hasCpuTimeSamples = false; ///< True if samples of CPU time were recorded, of any thread.
    bool hasWakeUps = false; ///< True if wake-ups were recorded, so that waits can be followed.
    bool isMultithreaded = false; ///< True if any thread of a run other than its first one has states or samples.
    std::uint32_t atWork = 0; ///< Number of the busiest threads that together have 99 % of a run's CPU time; the maximum over all runs.
    RunCpuTime cpuTime;
};

/// Collects facts about the threads of the runs.
/// Threads: any but the UI thread.
/// Cost: like the totals of each thread, and EstimatedCpuTimes of each run.
RunThreads threadsOf(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop = {});

/// Quantity that the lines of a breakdown add up to.
enum class BreakdownBasis : std::uint8_t {
    FirstThread, ///< Wall time, by the states of the run's only or selected thread.
    /// Wall time, by the states of the first thread and, while it waits, of the threads that it waits for, as far as PathLimits allow.
    CriticalPath,
    SampledCpuTime, ///< CPU time of all threads, from samples: what the threads waited for was not recorded.
    RecordedCpuTime, ///< CPU time of all threads, from their states: wake-ups were not recorded.
};
constexpr bool isCpuTime(BreakdownBasis it) { return it == BreakdownBasis::SampledCpuTime || it == BreakdownBasis::RecordedCpuTime; }

/// Returns the best basis that both sides allow; FirstThread unless a run of either side has several threads.
BreakdownBasis chooseBasis(const RunThreads& a, const RunThreads& b);

/// A thread on which the wall time of a run was spent. The ranges of all threads of a run add up to its wall time.
struct TimedThread {
    Row thread;
    std::vector<TimeRange> ranges; ///< In time order.
};

/// Runs of one side of a comparison, and what explains their time.
/// Ownership: the timeline and the runs outlive it.
struct SideRuns {
    const Timeline& timeline;
    std::span<const ProcessRun> runs;
    BreakdownBasis basis = BreakdownBasis::FirstThread;
    RunThreads threads{};
    std::vector<std::vector<TimedThread>> timed{}; ///< Indexed by run. Empty lists if the basis is CPU time.
};

/// Returns both sides, explained in the same way: with the best basis that both allow.
/// Threads: any but the UI thread.
/// Cost: like threadsOf(), and criticalPath() of each run if that is the basis.
std::pair<SideRuns, SideRuns> makeSideRuns(const Timeline& a, std::span<const ProcessRun> runsA, const Timeline& b,
                                           std::span<const ProcessRun> runsB, std::stop_token stop = {});

/// Returns one side with the given basis; SideRuns::threads is not filled.
SideRuns sideOf(const Timeline& timeline, std::span<const ProcessRun> runs, BreakdownBasis basis, std::stop_token stop = {});

} // namespace helio
