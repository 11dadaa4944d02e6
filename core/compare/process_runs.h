#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// Host and PID, which all threads of a process share; TID instead of the PID if that is unknown.
using ProcessOfRow = std::pair<std::uint32_t, std::int32_t>;
inline ProcessOfRow processOf(const Row& thread) { return {thread.host, thread.pid >= 0 ? thread.pid : thread.tid}; }

/// One run of a program: from when a process gets the program's name (fork or exec) until it loses the name or ends. The name that a new
/// process inherits until it executes another program makes no run.
struct ProcessRun {
    Row leader; ///< Row of the process's first thread.
    TimeRange range{}; ///< Cut to the requested range.
    bool isWhole = true; ///< False if the run began before, or went on after, what is recorded.
    bool isOneThread = false; ///< True if the run is not the whole process, but the thread `leader` alone, which may be any thread.
};

/// A program, identified by the name of its processes' first threads.
struct ProgramRuns {
    std::string name;
    std::uint32_t runs = 0;
    Duration wall{}; ///< Sum over all runs.
    bool hasWholeRun = false; ///< True if at least one run began and ended within what is recorded.
    Duration busy{}; ///< CPU time of all threads of the runs. Without states, the sum of the samples' weights, whatever they count.
};

/// Returns the runs of a program that overlap `within`, by begin.
/// Cost: one look-up of the name of each process.
std::vector<ProcessRun> processRuns(const Timeline& timeline, std::string_view program, TimeRange within, std::stop_token stop = {});

/// Returns all programs except kernel threads, the busiest first.
std::vector<ProgramRuns> programs(const Timeline& timeline, TimeRange within, std::stop_token stop = {});

/// Returns the range of the run's samples. A run that ends with the recording includes the last event.
TimeRange sampledRange(const Timeline& timeline, const ProcessRun& run);

/// Returns the programs that A and B have in common, the most likely subject of a comparison first: programs that began and ended within
/// either recording, the busiest in A first; then programs that ran all along; then the recorders themselves. Equally busy programs are
/// sorted by name.
std::vector<std::string> commonPrograms(const Timeline& a, TimeRange withinA, const Timeline& b, TimeRange withinB,
                                        std::stop_token stop = {});

} // namespace helio
