#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

/// Finds processes that are throttled: they may not run although CPUs are idle, for example because of a CPU quota of their group. No event
/// records this. It is recognized when threads of a process are runnable, none of them runs, and a CPU of the host is idle.
namespace helio {

constexpr std::string_view ThrottledKind = "throttled"; ///< Name of throttling on the command line.

/// An interval in which a process was throttled.
struct ThrottledInterval {
    TimeRange range;
    std::uint32_t waiting = 0; ///< Maximum count of threads that waited for a CPU at the same time.
    Duration idle{}; ///< Time for which a CPU was idle meanwhile.
};

/// True if the timeline has rows of threads and of CPUs.
/// Cost: a scan of the tracks.
bool canDetectThrottling(const Timeline& timeline);

/// Calls `take` for each throttled interval that lies entirely in the window, in the order of their beginnings. `take` gets the row of
/// the process, i.e. of its main thread. An interval begins when the last running thread loses its CPU or a first thread becomes
/// runnable; it ends when a thread runs or none is runnable. Returns early once `stop` is requested.
///
/// Intervals below 10 ms are left out, because the scheduler needs a tick or two to move a thread to an idle CPU. Intervals in which all
/// CPUs were busy for half of the time or more are left out, too, because then the process waits for these CPUs. Kernel threads are
/// excluded.
///
/// Limits: a process whose threads may only run on certain CPUs (affinity) also looks throttled while these CPUs are busy and other CPUs
/// are idle. Lost events may split an interval.
/// Cost: reads every interval of all threads and CPUs; 40 bytes for each of about a million intervals at a time.
void forEachThrottled(const Timeline& timeline, TimeRange window, const std::function<void(const Row&, const ThrottledInterval&)>& take,
                      std::stop_token stop = {});

} // namespace helio
