#pragma once

#include "core/waits/path/path.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// One step in the explanation of a wait: an activity or wait of one thread. If `isFollowed`, deeper steps after it explain the wait in
/// detail.
struct WaitStep {
    TimeRange range;
    TrackRef row;
    PathKind kind = PathKind::Unknown;
    std::string what; ///< Detail of the activity or wait, for example "fsync, ended by virtio2-req.0 on CPU 1".
    std::string words; ///< Step as a sentence, for example "disk-writer (269) waited for a disk: fsync, ended by virtio2-req.0 on CPU 1".
    /// Activity of the step's thread (see CriticalPath::activities), for example "writing 64 KiB to vda"; may be empty.
    std::string activity;
    std::uint16_t depth = 0;
    std::int32_t cpu = NoCpu; ///< CPU of the step; see PathSegment::cpu.
    bool isFollowed = false; ///< True if the following steps, one level deeper, explain this wait and cover its time.
    std::string event; ///< Name of the event that ends the step, for example "sched_waking"; empty if unknown.
    Timestamp eventAt{};
    TrackRef waker{}; ///< Thread that ended the wait; not valid if the step is not a wait or if no thread ended it.
    std::uint32_t trace = 0; ///< Trace that has the event, as an index into Timeline::traces.
    /// Error bound of the step's times relative to the first step's times, if their threads are on different hosts; 0 on the same host. See
    /// errorBetween().
    Duration error{};
};

/// Main cause of a wait: the thread that has the largest part of the wait in its steps (WaitStep). Threads with the same name on the same
/// host count as one thread.
struct MainCause {
    std::string who; ///< Name of the thread, e.g. "postgres (7) on db"; without the TID if there are several threads.
    Duration total{}; ///< Total time of the steps of the main cause, without steps for which `isFollowed` is true.
    PathKind kind = PathKind::Unknown; ///< Kind of activity with the largest part of `total`.
    std::string activity; ///< Main activity, for example "writing 64 KiB to vda" or "running in user space".
    Duration ofActivity{}; ///< Total time of the steps with this activity.
    /// Activity with the second largest total, for example "between system calls"; only if the recording does not tell when threads had a
    /// CPU (PathKind::Unknown), otherwise empty.
    std::string secondActivity;
    Duration ofSecondActivity{}; ///< Total time of the steps with `secondActivity`.
    std::size_t step = 0; ///< Index into Why::steps of the longest step of kind `kind`.
    bool isOwn = false; ///< True if the thread that waited is the main cause.
    bool isWaker = false; ///< True if the thread that ended the wait is the main cause.
};

/// A line in the breakdown of a wait: the time of a thread with an activity or a cause.
struct WaitPart {
    TrackRef row;
    /// Kind of the path segments in this line. Interrupts and page faults that the thread served count as Running.
    PathKind kind = PathKind::Unknown;
    /// Detail of the activity or cause, for example "vdb: flush by kworker/1:1H (54)" or "behind dd (190)"; empty if unknown.
    std::string what;
    Duration total{};
    TimeRange longest{}; ///< Range of the longest path segment that counts towards this line.
};

/// Explanation why a thread did not run at a moment: it waited, or its vCPU was preempted while it seemed to run.
struct Why {
    /// Explanation in one sentence, for example "futex waited 8.348 ms for a lock held by mtx-owner (265), which spent 8.2 ms (98 %)
    /// running in user space"; empty if the thread ran, if nothing is known, or if the path is incomplete.
    std::string conclusion;
    TimeRange wait{};
    /// Steps in time order. A step with `isFollowed` is explained by the deeper steps that follow it; all other steps add up to the wait.
    std::vector<WaitStep> steps;
    MainCause main; ///< Main cause of the wait; default-constructed if there are no steps.
    CriticalPath path; ///< Critical path of the wait.
    /// Breakdown of `path` by thread and cause, longest part first; the totals add up to the duration of `path`.
    std::vector<WaitPart> parts;
    /// Shortened forms of `conclusion`, longest first. Each names the main cause and its duration; details are left out.
    std::vector<std::string> shorterConclusions;
};

/// Find: explainWait() looks up the event that ends each step (WaitStep::event). Skip: explainWait() leaves WaitStep::event empty, which
/// saves time.
enum class WaitEvents { Find, Skip };

/// Explains why a thread waited at time `at`. `thread`: a row with thread states.
/// Threads: to be called from any thread but the UI thread, because it reads events.
/// Cost: one criticalPath() of the wait; with WaitEvents::Find, also a few ms for each of the first hundred steps.
Why explainWait(const std::shared_ptr<const Timeline>& timeline, TrackRef thread, Timestamp at, std::stop_token stop = {},
                WaitEvents events = WaitEvents::Find, const PathLimits& limits = {});

/// Returns the thread's longest wait in `range`, clipped to `range`; empty if the thread does not wait there. `thread` is a row with
/// states.
/// Cost: visits each interval of the row in the range, in parts of bounded memory; ends early if `stop` is requested.
TimeRange longestWait(const Timeline& timeline, TrackRef thread, TimeRange range, std::stop_token stop = {});

/// Calls `take` for each step of a path. Adjacent segments of one row and kind that differ only in their system calls are merged.
void forEachWaitStep(const Timeline& timeline, const CriticalPath& path, const std::function<void(WaitStep&&)>& take);
std::vector<WaitStep> stepsOf(const Timeline& timeline, const CriticalPath& path);

/// Sums up the segments of a path, the longest sum first: running time by thread, waiting time by thread and cause. A wait for a CPU is
/// split among the occupants of the CPU.
std::vector<WaitPart> waitPartsOf(const CriticalPath& path);

} // namespace helio
