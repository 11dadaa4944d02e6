#pragma once

#include "core/compare/subject.h"
#include "core/query/rows/duration_distribution.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Durations of one cause of elapsed time, in A and in B.
struct ComparedDurations {
    enum class Kind : std::uint8_t {
        State, ///< Durations of intervals in which a thread is in one state.
        Syscall, ///< Durations of system calls from entry to exit, including all waits.
    };
    Kind kind = Kind::State;
    StateKind state; ///< State of the thread; for Kind::Syscall the state that means "in a system call".
    std::string detail; ///< System call or fault that the durations belong to; empty if the state has no detail.
    DurationDistribution a;
    DurationDistribution b;
};

/// Compares the durations of the intervals of all threads of the runs, ordered by decreasing total time. Incomplete intervals, which reach
/// an end of the run's range, are left out. Empty if only unknown states were recorded.
/// Threads: any but the UI thread.
/// Cost: reads every interval, and uses 8 bytes for each during the call.
std::vector<ComparedDurations> compareDurations(const Timeline& a, const Subject& ofA, std::span<const ProcessRun> runsA, const Timeline& b,
                                                const Subject& ofB, std::span<const ProcessRun> runsB, std::stop_token stop = {});

} // namespace helio
