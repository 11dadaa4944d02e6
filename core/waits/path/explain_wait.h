#pragma once

#include "core/waits/path/path.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// One step in the explanation of a wait: an uninterrupted activity or wait of one thread, or a wait that the steps after it explain in
/// detail.
struct WaitStep {
    TimeRange range;
    TrackRef row;
    PathKind kind = PathKind::Unknown;
    std::string what; ///< For example "fsync, until virtio2-req.0 on CPU 1".
    std::string words; ///< For example "disk-writer (269) waits for the disk: fsync, until virtio2-req.0 on CPU 1".
    std::uint16_t depth = 0;
    std::int32_t cpu = NoCpu; ///< See PathSegment::cpu.
    bool isFollowed = false; ///< True if the steps after it, one level deeper, explain this wait: their time is the wait's time.
    std::string event; ///< Name of the event that ends the step, for example "sched_waking"; empty if unknown.
    Timestamp eventAt{};
    std::uint32_t trace = 0; ///< Index of the trace with the event.
    /// Error bound between the step's times and the times of the first step, whose thread may be on another host. 0 on the same host; see
    /// errorBetween().
    Duration error{};
};

/// Main cause of a wait: the thread, or the threads of one name on one host, whose activities took the most of it.
struct MainCause {
    std::string who; ///< "postgres (7) on db"; several threads of one name without their numbers.
    Duration total{}; ///< Sum of the steps of these threads, except steps that are followed.
    PathKind kind = PathKind::Unknown; ///< Activity with the largest part of `total`.
    Duration ofKind{}; ///< Sum of the steps of that kind.
    std::size_t step = 0; ///< Index of the longest of the steps of that kind in Why::steps.
};

/// Explanation why a thread did not run at a moment: it waited, or its vCPU was preempted while it seemed to run.
struct Why {
    /// For example "Waited 8.348 ms for a lock: futex, held by mtx-owner (265)"; empty if the thread ran or if nothing is known.
    std::string conclusion;
    TimeRange wait{};
    std::vector<WaitStep> steps; ///< In the order of time; steps that are not followed add up to the wait.
    MainCause main; ///< Main cause of the wait; default values if there are no steps.
    CriticalPath path; ///< Critical path of the wait.
};

/// Explains the wait of a thread at a time. `thread` is a row with states.
/// Threads: to be called from any thread but the UI thread, because it reads events.
/// Cost: one criticalPath() of the wait, and a few ms for the event of each of the first hundred steps.
Why explainWait(const std::shared_ptr<const Timeline>& timeline, TrackRef thread, Timestamp at, std::stop_token stop = {});

/// Calls `take` for each step of a path. Adjacent segments of one row and kind that differ only in their system calls are merged.
void forEachWaitStep(const Timeline& timeline, const CriticalPath& path, const std::function<void(WaitStep&&)>& take);
std::vector<WaitStep> stepsOf(const Timeline& timeline, const CriticalPath& path);

} // namespace helio
