#pragma once

#include "core/query/rows/state_causes.h"

#include <optional>
#include <vector>

namespace helio {

/// A part of a wait: time that the waker spent in one state, or time during which one thread had the CPU that was waited for.
struct WaitShare {
    TrackRef row; ///< Waker, or thread that had the CPU. Not valid if the CPU was idle or its thread is unknown.
    /// State of the waker, or of the CPU; nullopt if the waker had no state, for example before it was created.
    std::optional<StateKind> state;
    Duration total{};
    bool operator==(const WaitShare&) const = default;
};

/// Breakdown of a thread's wait into what happened meanwhile, as far as it was recorded.
struct WaitBreakdown {
    enum class Of {
        Nothing, ///< No breakdown, because the cause of the wait is unknown.
        Waker, ///< A thread ended the wait; the parts are the states of that thread (the waker) during the wait.
        Cpu, ///< The thread waited for a CPU; the parts are the threads on that CPU during the wait.
        Event ///< An interrupt ended the wait; the only part is the whole wait.
    };
    Of of = Of::Nothing;
    std::int32_t cpu = NoCpu; ///< CPU that was waited for; NoCpu if `of` is not Cpu.
    std::vector<WaitShare> parts; ///< Parts of the wait, longest first. Their sum is exactly the length of the wait.
};

/// Returns the breakdown of a thread's state. `cause` is the result of findStateCause().
/// Cost: that of totals(); for a wait for a CPU, about 20 ns for each switch on that CPU during the wait.
WaitBreakdown waitBreakdown(const Timeline& timeline, TrackRef thread, const Interval& state, const StateCause& cause,
                            std::stop_token stop = {});

} // namespace helio
