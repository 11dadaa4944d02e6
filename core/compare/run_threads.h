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

    /// The threads that were there during a run: the leader alone where the run is of one thread.
    std::vector<Row> of(const ProcessRun& run) const;

private:
    std::map<ProcessOfRow, std::vector<Row>> m_threads;
};

/// CPU time of all threads of one run: the mean of a side's runs.
struct RunCpuTime {
    Duration recorded{}; ///< By the threads' states. 0 without states.
    Duration sampled{}; ///< By samples of CPU time. 0 without samples.
};

/// Facts about the threads of a side's runs.
struct RunThreads {
    bool haveStates = false; ///< States of at least one of the threads were recorded.
    bool haveSamples = false; ///< Samples of CPU time were recorded, whether any is theirs or not.
    bool haveWaitCauses = false; ///< Wake-ups were recorded, so that waits can be followed.
    bool areSeveral = false; ///< A run has another thread than its first one that has states or samples.
    std::uint32_t atWork = 0; ///< As many of the busiest threads as have 99 % of a run's CPU time; the most of any run.
    RunCpuTime cpuTime;
};

/// Threads: any but the UI's. Cost: as the totals of each thread, and SampledUses of each run.
RunThreads threadsOf(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop = {});

/// Quantity that the lines of a ledger add up to.
enum class LedgerBasis : std::uint8_t {
    FirstThread, ///< Wall time, by what the run's only or chosen thread did.
    CriticalPath, ///< Wall time, by what the first thread did, and while it waited the threads that it waited for, as far as PathLimits go.
    SampledCpuTime, ///< CPU time of all threads, by samples: what the threads waited for was not recorded.
    RecordedCpuTime, ///< CPU time of all threads, by their states: wake-ups were not recorded.
};
constexpr bool isCpuTime(LedgerBasis it) { return it == LedgerBasis::SampledCpuTime || it == LedgerBasis::RecordedCpuTime; }

/// The best that both sides allow. FirstThread unless a run of either side has several threads.
LedgerBasis basisOf(const RunThreads& a, const RunThreads& b);

/// A thread that the wall time of a run was spent on. The ranges of all threads of a run add up to it.
struct TimedThread {
    Row thread;
    std::vector<TimeRange> ranges; ///< When, in time order.
};

/// The runs of one side of a comparison, and what their time is explained by. The timeline and the runs outlive it.
struct SideRuns {
    const Timeline& timeline;
    std::span<const ProcessRun> runs;
    LedgerBasis basis = LedgerBasis::FirstThread;
    RunThreads threads{};
    std::vector<std::vector<TimedThread>> timed{}; ///< By run. Empty lists where the basis is CPU time.
};

/// Both sides, explained alike: by the best basis that both allow.
/// Threads: any but the UI's. Cost: as threadsOf(), and criticalPath() of each run where that is the basis.
std::pair<SideRuns, SideRuns> sidesOf(const Timeline& a, std::span<const ProcessRun> runsA, const Timeline& b,
                                      std::span<const ProcessRun> runsB, std::stop_token stop = {});

/// One side on that basis.
SideRuns sideOf(const Timeline& timeline, std::span<const ProcessRun> runs, LedgerBasis basis, std::stop_token stop = {});

} // namespace helio
