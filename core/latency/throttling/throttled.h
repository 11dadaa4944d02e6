#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

/// Detection of throttled processes: the scheduler does not let them run although CPUs are idle, for example because of a CPU quota of
/// their cgroup. No event records this. A process counts as throttled when threads of it are runnable, none of its threads runs, and a
/// CPU of the host is idle.
namespace helio {

constexpr std::string_view ThrottledKind = "throttled"; ///< Id of throttling as a latency kind on the command line.

/// An interval in which a process was throttled.
struct ThrottledInterval {
    TimeRange range;
    std::uint32_t waiting = 0; ///< Maximum number of threads that waited for a CPU at the same time.
    Duration idle{}; ///< Part of the interval in which at least one CPU was idle.
};

/// Returns true if the timeline has rows of threads and of CPUs.
/// Cost: a scan of the tracks.
bool canDetectThrottling(const Timeline& timeline);

/// Calls `take` for each throttled interval that lies completely in the window, in order of start times, with the row of the process,
/// i.e. of its main thread. An interval begins when the last running thread loses its CPU, or when a first thread becomes runnable. It ends
/// when a thread runs or no thread is runnable. Returns early once `stop` is requested.
///
/// Not reported:
/// - intervals shorter than 10 ms, because the scheduler needs a tick or two to move a thread to an idle CPU;
/// - intervals in which all CPUs were busy for half of the time or more, because the process then waits for these CPUs;
/// - kernel threads.
///
/// Limits: a process whose threads are restricted to certain CPUs (affinity) also looks throttled while these CPUs are busy and other CPUs
/// are idle. Lost events may split an interval.
/// Cost: reads every interval of all threads and CPUs; 40 bytes of memory for each of about a million intervals at a time.
void forEachThrottled(const Timeline& timeline, TimeRange window, const std::function<void(const Row&, const ThrottledInterval&)>& take,
                      std::stop_token stop = {});

/// Returns the name of a throttled process, which tells processes with the same name apart: "hog (123)". `process` is the process's row.
std::string throttledName(const Row& process);

/// Returns throttledName() of the process that was throttled during a part of a thread's wait; nullopt if the
/// thread's process was not throttled then.
/// Cost: one forEachThrottled() over the wait and the second before and after it, or twice the wait's duration if that is longer.
std::optional<std::string> findThrottledProcess(const Timeline& timeline, TrackRef thread, TimeRange wait, std::stop_token stop = {});

} // namespace helio
