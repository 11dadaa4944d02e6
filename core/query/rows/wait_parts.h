#pragma once

#include "core/query/rows/causes.h"

#include <optional>
#include <vector>

namespace helio {

/// A part of a wait: what whoever the wait was for was doing.
struct WaitPart {
    TrackRef row; ///< The waker, or the thread that had the CPU. Not valid: the CPU was idle, or it is not known who had it.
    std::optional<StateKind> state; ///< The waker's, or the CPU's. None: the waker had no state, as before it was created.
    Duration total{};
    bool operator==(const WaitPart&) const = default;
};

/// What a thread's wait consisted of. Nothing of it is guessed.
struct WaitParts {
    enum class Of {
        Nothing, ///< Nobody is known for whom it waited.
        Waker, ///< The thread that ended the wait: its own states meanwhile.
        Cpu, ///< A wait for a CPU: who had the CPU on which the thread then ran.
        Event ///< An interrupt ended it: one part, the whole.
    };
    Of of = Of::Nothing;
    std::int32_t cpu = NoCpu; ///< Of Cpu.
    std::vector<WaitPart> parts; ///< Longest first. They add up to the state's range exactly.
};

/// Of a state of a thread and its cause. Cost: that of totals(); for a CPU some 20 ns for each of its switches meanwhile.
WaitParts waitParts(const Timeline& timeline, TrackRef thread, const Interval& state, const StateCause& cause, std::stop_token stop = {});

} // namespace helio
