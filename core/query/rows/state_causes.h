#pragma once

#include "core/query/rows/arrows.h"

#include <optional>

namespace helio {

/// Cause of a thread's state, and its CPUs. Shown by tooltips, the Details dock and arrows.
struct StateCause {
    /// Wake-up that ended the wait, or that began the wait for a CPU; nullopt if unknown.
    std::optional<Arrow> waking;
    bool isFirstWakeup = false; ///< True if the wake-up is the first one of a new thread, so that the waker created the thread.
    std::int32_t cpu = NoCpu; ///< CPU on which the thread runs; during a wait, the CPU on which it ran before; NoCpu if unknown.
    /// CPU on which the thread ran after the wait for a CPU; NoCpu if the state is no such wait or the CPU is unknown.
    std::int32_t nextCpu = NoCpu;
    /// Thread that got the CPU when this thread was preempted or yielded; not valid if there is none or if it is unknown.
    TrackRef successor;
    std::optional<std::int32_t> priority; ///< Priority of the thread at the start of the state; nullopt if no kernel event recorded it.
};

/// Returns the cause of one state of a thread's row. Members that the trace does not contain are left empty; nothing is guessed.
/// Cost: at most a few ms; visits every CPU.
StateCause findStateCause(const Timeline& timeline, TrackRef thread, const Interval& state);

/// Returns the end of a thread's wait for a CPU that lasts at least until `at`: the wait may consist of several runnable states, e.g. if a
/// part of it was throttled.
Timestamp runnableUntil(const Timeline& timeline, TrackRef thread, Timestamp at);

/// Returns the wake-up that ended a thread's wait or began its wait for a CPU; nullopt for other states, or if the wake-up is unknown.
std::optional<Arrow> findWakeup(const Timeline& timeline, TrackRef thread, const Interval& state);

/// Returns the arrow of the given kinds to follow from a time on a row; empty if there is none. Skips arrows from a row to itself.
/// - Forward: the nearest arrow that leaves the row at `at` or later, or that reaches the row after `at`.
/// - Backward: inside a wait, the wake-up that ends the wait. Else the nearest arrow that reaches the row at `at` or earlier, or that
/// leaves the row before `at`.
std::vector<Arrow> findArrowToFollow(const Timeline& timeline, TrackRef row, Timestamp at, bool isForward, const LinkIds& kinds);

/// True if the waker of a wake-up is a thread; false for an interrupt, the idle thread, or an unknown waker.
bool isOfThread(const Timeline& timeline, const Arrow& waking);

/// Returns the thread on a CPU at a time, even while an interrupt handler runs on that CPU. Not valid if the CPU is idle or the thread is
/// unknown.
TrackRef threadOn(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp at);

/// True if the CPU is known to have been idle at that time.
bool isIdle(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp at);

/// Returns the CPU on which a thread is at a time; NoCpu if it is on no CPU or if the CPU is unknown.
std::int32_t cpuOf(const Timeline& timeline, TrackRef thread, Timestamp at);

/// Returns the row of a CPU; not valid if there is none.
TrackRef cpuRow(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu);

/// Returns the row of the thread that had the TID at the given time; not valid if there is none.
TrackRef threadRow(const Timeline& timeline, std::uint32_t trace, std::int64_t tid, Timestamp at);

} // namespace helio
