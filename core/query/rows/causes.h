#pragma once

#include "core/query/rows/arrows.h"

#include <optional>

namespace helio {

/// Why a thread was in a state and where: what tooltips, Details and arrows say of it comes from here.
struct StateCause {
    /// The wake-up that ended a wait, or that began a wait for a CPU.
    std::optional<Arrow> waking;
    bool isBirth = false; ///< The wake-up is a new thread's first: who did it created the thread.
    std::int32_t cpu = NoCpu; ///< Where the thread runs; in a wait: where it ran before it.
    std::int32_t nextCpu = NoCpu; ///< Where it ran after it waited for a CPU.
    TrackRef taker; ///< Of a thread that was taken off its CPU, or left it to others: who got it. Not valid: nobody, or not known.
    std::optional<std::int32_t> priority; ///< As the kernel's events have it, where they do.
};

/// The cause of one state of a thread's row. Nothing of it is guessed: what the trace does not say is left out.
/// Cost: some ms at most; looks at every CPU.
StateCause causeOf(const Timeline& timeline, TrackRef thread, const Interval& state);

/// The wake-up that ended a thread's wait, or that began its wait for a CPU.
std::optional<Arrow> wakingOf(const Timeline& timeline, TrackRef thread, const Interval& state);

/// The arrow to follow from a moment of a row. Forward: the next that leaves it, from then on, or that reaches it later. Back: the last
/// that reached it, then at the latest, or that left it before; from inside a wait the wake-up that ends it. Of some kinds alone.
/// Not from a row to itself. Count 0 or 1.
std::vector<Arrow> arrowToFollow(const Timeline& timeline, TrackRef row, Timestamp at, bool isForward, const LinkIds& kinds);

/// Whether a wake-up is a thread's doing: not that of an interrupt, of the idle thread, or of nobody known.
bool isOfThread(const Timeline& timeline, const Arrow& waking);

/// The thread that had a CPU at a time, also while an interrupt ran there. Not valid: idle, or not known.
TrackRef threadOn(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp at);

/// Whether the CPU is known to have been idle then.
bool isIdle(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp at);

/// The CPU that a thread has at a time, or NoCpu.
std::int32_t cpuOf(const Timeline& timeline, TrackRef thread, Timestamp at);

/// A CPU's row. Not valid where there is none.
TrackRef cpuRow(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu);

/// The row of a thread: the life of that tid that lies around a time. Not valid where there is none.
TrackRef threadRow(const Timeline& timeline, std::uint32_t trace, std::int64_t tid, Timestamp at);

} // namespace helio
