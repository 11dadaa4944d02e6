#pragma once

#include "core/compare/subject.h"
#include "core/query/rows/duration_spread.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// A cause that time went to, by its lengths in A and in B.
struct ComparedDurations {
    enum class Kind : std::uint8_t {
        State, ///< A thread's stays in a state.
        Syscall, ///< System calls from entry to return, with all waiting in them.
    };
    Kind kind = Kind::State;
    StateKind state; ///< Of Kind::Syscall: that of being in one.
    std::string detail; ///< The system call, the fault; empty where the state has none.
    DurationSpread a;
    DurationSpread b;
};

/// The stays of all threads of the runs, those only that are seen whole: what reaches an end of a run's range is not counted. The most
/// total time first. Empty where nothing but unknown states were recorded.
/// Threads: any but the UI's. Cost: as reading every interval, and 8 bytes for each until it is done.
std::vector<ComparedDurations> compareDurations(const Timeline& a, const Subject& ofA, std::span<const ProcessRun> runsA, const Timeline& b,
                                                const Subject& ofB, std::span<const ProcessRun> runsB, std::stop_token stop = {});

} // namespace helio
