#pragma once

#include "core/compare/subject.h"
#include "core/query/rows/duration_distribution.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// A cause of elapsed time with its durations in A and in B.
struct ComparedDurations {
    enum class Kind : std::uint8_t {
        State, ///< Intervals in which a thread is in a state.
        Syscall, ///< System calls from entry to return, with all waits in them.
    };
    Kind kind = Kind::State;
    StateKind state; ///< For Kind::Syscall, the state of being in a system call.
    std::string detail; ///< System call or fault; empty if the state has none.
    DurationDistribution a;
    DurationDistribution b;
};

/// Compares the durations of the intervals of all threads of the runs, most total time first. Only complete intervals count. An interval is
/// left out if it reaches an end of a run's range. Empty if only unknown states were recorded.
/// Threads: any but the UI thread.
/// Cost: reads every interval, and takes 8 bytes for each until it is done.
std::vector<ComparedDurations> compareDurations(const Timeline& a, const Subject& ofA, std::span<const ProcessRun> runsA, const Timeline& b,
                                                const Subject& ofB, std::span<const ProcessRun> runsB, std::stop_token stop = {});

} // namespace helio
