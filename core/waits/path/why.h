#pragma once

#include "core/waits/path/path.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// One step of what a wait was for: what one thread did without a break, or waited for; or that a wait is gone into, in the steps that
/// follow.
struct WhyStep {
    TimeRange range;
    TrackRef row;
    PathKind kind = PathKind::Unknown;
    std::string what; ///< "fsync, until virtio2-req.0 on CPU 1"
    std::string words; ///< "disk-writer (269) waits for the disk: fsync, until virtio2-req.0 on CPU 1"
    std::uint16_t depth = 0;
    std::int32_t cpu = NoCpu; ///< As PathStretch has it.
    bool isFollowed = false; ///< The steps behind it, one deeper, are what it waited for: its time is theirs.
    std::string event; ///< That ends it: "sched_waking". Empty: none is known.
    Timestamp eventAt{};
    std::uint32_t trace = 0; ///< Of the event.
    /// What its times are right within beside those of the first step, whose thread may be another host's: 0, or as errorBetween() has it.
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

/// The answer to why a thread did not run at a moment: it waited, or its virtual CPU had been taken while it seemed to run.
struct Why {
    /// "Waited 8.348 ms for a lock: futex, held by mtx-owner (265)". Empty: it ran, or nothing is known.
    std::string conclusion;
    TimeRange wait{};
    std::vector<WhyStep> steps; ///< In time order; those that are not followed add up to the wait.
    MainCause main; ///< Main cause of the wait; default values if there are no steps.
    CriticalPath path; ///< Of it.
};

/// Of a thread's row with states. Threads: any but the UI's: reads events. Cost: as criticalPath() of the wait, and some ms a step of the
/// first hundred for its event.
Why whyAt(const std::shared_ptr<const Timeline>& timeline, TrackRef thread, Timestamp at, std::stop_token stop = {});

/// Hands over the steps of a path: neighbours on one row of one kind that are only different calls are one.
void eachStep(const Timeline& timeline, const CriticalPath& path, const std::function<void(WhyStep&&)>& take);
std::vector<WhyStep> stepsOf(const Timeline& timeline, const CriticalPath& path);

} // namespace helio
