#pragma once

#include "core/query/rows/arrows.h"

#include <optional>

namespace helio {

/// Cause and place of a thread's state. Tooltips, Details and arrows take what they say about it from here.
struct StateCause {
    /// The wake-up that ended a wait, or that began a wait for a CPU.
    std::optional<Arrow> waking;
    bool isFirstWakeup = false; ///< The wake-up is the first one of a new thread: the waker created it.
    std::int32_t cpu = NoCpu; ///< CPU on which the thread runs; in a wait, the CPU on which it ran before.
    std::int32_t nextCpu = NoCpu; ///< CPU on which the thread ran after a wait for a CPU.
    TrackRef taker; ///< Thread that got the CPU when this thread was preempted or yielded. Not valid: none, or not known.
    std::optional<std::int32_t> priority; ///< Priority recorded by kernel events; nullopt if not recorded.
};

/// Returns the cause of one state of a thread's row. Nothing is guessed: a member is left empty if the trace does not say it.
/// Cost: a few ms at most; looks at every CPU.
StateCause findStateCause(const Timeline& timeline, TrackRef thread, const Interval& state);

/// Returns the wake-up that ended a thread's wait, or that began its wait for a CPU.
std::optional<Arrow> findWakeup(const Timeline& timeline, TrackRef thread, const Interval& state);

/// Returns the arrow to follow from a moment of a row, of the given kinds, count 0 or 1. Forward: the nearest arrow that leaves the row at
/// `at` or later, or that reaches it later. Back: the nearest arrow that reached the row at `at` or earlier, or that left it earlier;
/// inside a wait, the wake-up that ends the wait. Arrows from a row to itself are skipped.
std::vector<Arrow> findArrowToFollow(const Timeline& timeline, TrackRef row, Timestamp at, bool isForward, const LinkIds& kinds);

/// True if a thread did the wake-up; false for an interrupt, the idle thread, or an unknown waker.
bool isOfThread(const Timeline& timeline, const Arrow& waking);

/// Returns the thread that had a CPU at a time, also while an interrupt ran there. Not valid: idle, or not known.
TrackRef threadOn(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp at);

/// True if the CPU is known to have been idle at that time.
bool isIdle(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp at);

/// Returns the CPU that a thread has at a time, or NoCpu.
std::int32_t cpuOf(const Timeline& timeline, TrackRef thread, Timestamp at);

/// Returns the row of a CPU. Not valid: there is none.
TrackRef cpuRow(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu);

/// Returns the row of a thread: of the lives of that TID, the one that contains the time. Not valid: there is none.
TrackRef threadRow(const Timeline& timeline, std::uint32_t trace, std::int64_t tid, Timestamp at);

} // namespace helio
