#pragma once

#include "core/query/rows/state_causes.h"

#include <optional>
#include <vector>

namespace helio {

/// A part of a wait: what the waker, or the CPU that the thread waited for, did in that time.
struct WaitShare {
    TrackRef row; ///< Waker, or thread that had the CPU. Not valid: the CPU was idle, or its thread is not known.
    /// State of the waker, or of the CPU. nullopt: the waker had no state, for example before it was created.
    std::optional<StateKind> state;
    Duration total{};
    bool operator==(const WaitShare&) const = default;
};

/// Breakdown of a thread's wait. Nothing is guessed.
struct WaitBreakdown {
    enum class Of {
        Nothing, ///< The cause of the wait is not known.
        Waker, ///< A thread ended the wait: its own states during the wait.
        Cpu, ///< A wait for a CPU: the threads that had the CPU on which the thread then ran.
        Event ///< An interrupt ended the wait: one part, the whole wait.
    };
    Of of = Of::Nothing;
    std::int32_t cpu = NoCpu; ///< CPU that was waited for; NoCpu if `of` is not Cpu.
    std::vector<WaitShare> parts; ///< Longest first. They add up to the state's range exactly.
};

/// Returns the breakdown of a thread's state. `cause`: from findStateCause().
/// Cost: as totals(); in a wait for a CPU, about 20 ns for each of its switches in that time.
WaitBreakdown waitBreakdown(const Timeline& timeline, TrackRef thread, const Interval& state, const StateCause& cause,
                            std::stop_token stop = {});

} // namespace helio
