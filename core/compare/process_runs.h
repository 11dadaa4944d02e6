#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// Host and PID, which the threads of a process have in common; the TID where the PID is unknown.
using ProcessOfRow = std::pair<std::uint32_t, std::int32_t>;
inline ProcessOfRow processOf(const Row& thread) { return {thread.host, thread.pid >= 0 ? thread.pid : thread.tid}; }

/// One run of a program: from when a process got the program's name (fork or exec) until it lost it or ended. What a new process is called
/// until it executes another program is no run.
struct ProcessRun {
    Row leader; ///< Its first thread's row.
    TimeRange range{}; ///< Cut to what was asked for.
    bool isWhole = true; ///< False: it began before, or went on after what is recorded.
    bool isOneThread = false; ///< Not the whole process: `leader` alone, which may be any thread.
};

/// A program by the name of its processes' first threads.
struct ProgramRuns {
    std::string name;
    std::uint32_t runs = 0;
    Duration wall{}; ///< Of all runs.
    bool hasWholeRun = false; ///< One of them at least began and ended within what is recorded.
    Duration busy{}; ///< That their threads were on a CPU. Where states were not recorded, as samples say, whatever they count.
};

/// The runs of a program that overlap `within`, by begin. Cost: one look at each process's name.
std::vector<ProcessRun> processRuns(const Timeline& timeline, std::string_view program, TimeRange within, std::stop_token stop = {});

/// All programs but kernel threads, by busy time, the busiest first.
std::vector<ProgramRuns> programs(const Timeline& timeline, TimeRange within, std::stop_token stop = {});

/// The stretch whose samples are the run's: the recording's last event ends the run, and is in it.
TimeRange sampledRange(const Timeline& timeline, const ProcessRun& run);

/// The programs of A that B has too: what a comparison is most likely about first. Those come first that began and ended within either
/// recording, the busiest in A before others; then what was there all along; the recorders' own programs last. Equal ones by name.
std::vector<std::string> commonPrograms(const Timeline& a, TimeRange withinA, const Timeline& b, TimeRange withinB,
                                        std::stop_token stop = {});

} // namespace helio
