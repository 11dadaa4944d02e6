#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// Identity of a process: host and PID, which all threads of the process share. TID instead of the PID if the PID is unknown.
using ProcessOfRow = std::pair<std::uint32_t, std::int32_t>;
inline ProcessOfRow processOf(const Row& thread) { return {thread.host, thread.pid >= 0 ? thread.pid : thread.tid}; }

/// One run of a program: the time in which a process has the program's name, from a fork or exec until the name changes or the process
/// ends. The time between fork and exec is not a run, because the new process then has an inherited name. A process that a run forks
/// belongs to this run if it keeps the inherited name.
struct ProcessRun {
    Row leader; ///< Row of the first thread of the process.
    TimeRange range{}; ///< Time range of the run, clipped to the requested range.
    bool isWhole = true; ///< True if the run began and ended inside the requested range, and the trace recorded both.
    bool isOneThread = false; ///< True if the run is the thread `leader` alone instead of a whole process; `leader` may then be any thread.
    std::vector<Row> children{}; ///< Leaders of the processes that belong to the run besides its own, in the order of their rows.
};

/// A program and its runs. The name of a process's first thread identifies the program.
struct ProgramRuns {
    std::string name;
    std::uint32_t runs = 0;
    Duration wall{}; ///< Sum of the wall times of all runs.
    bool hasWholeRun = false; ///< True if at least one run began and ended during the recording.
    /// CPU time of all threads of the runs, in ns. Without thread states, the sum of the samples' weights, in the samples' unit, e.g. a
    /// number of cycles instead of ns.
    Duration busy{};
};

/// Returns the runs of a program that overlap `within`, in order of start times.
/// Cost: one lookup of the name of each process.
std::vector<ProcessRun> processRuns(const Timeline& timeline, std::string_view program, TimeRange within, std::stop_token stop = {});

/// Returns all programs except kernel threads, by decreasing busy time.
std::vector<ProgramRuns> programs(const Timeline& timeline, TimeRange within, std::stop_token stop = {});

/// Returns the time range for selecting the run's samples. For a run that ends with the recording, it includes the last event.
TimeRange sampledRange(const Timeline& timeline, const ProcessRun& run);

/// Returns the programs that run in both A and B, the most likely subject of a comparison first: first programs that began and ended during
/// at least one of the recordings, by decreasing busy time in A; then programs that ran all the time; then recorders. Equally busy programs
/// are sorted by name.
std::vector<std::string> commonPrograms(const Timeline& a, TimeRange withinA, const Timeline& b, TimeRange withinB,
                                        std::stop_token stop = {});

} // namespace helio
