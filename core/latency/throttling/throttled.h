#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

/// Processes that may not run though CPUs are idle, as a quota of CPU time does to a group of them. No event says so: it is seen where some
/// of a process's threads could run, none of them does, and a CPU of its host has nothing to do.
namespace helio {

constexpr std::string_view ThrottledKind = "throttled"; ///< As commands call it.

/// One such span.
struct Throttled {
    TimeRange range;
    std::uint32_t waiting = 0; ///< So many threads waited for a CPU, at most at once.
    Duration idle{}; ///< So long a CPU was idle meanwhile.
};

/// Whether the timeline has rows of threads and of CPUs, whose states say it. Cost: of a look at the tracks.
bool mayBeThrottled(const Timeline& timeline);

/// Hands over the spans of each process that lie in the window as a whole, in the order of their begins, with its row: that of its first
/// thread. From where its last thread lost its CPU, or its first one could run, to where one runs again or none could. Those shorter than
/// 10 ms are left out, as it takes the scheduler a tick or two to move a thread to an idle CPU, and those in which all CPUs were busy for
/// half of the time or more: then it is these that it waits for. A thread that may run on some CPUs alone, which are busy, looks the same
/// while others are idle. Kernel threads have none. Ends early once `stop` is requested.
///
/// Where events were lost a span may begin or end that went on.
///
/// Cost: as reading every interval of all threads and CPUs, and 40 bytes for each of some million.
void eachThrottled(const Timeline& timeline, TimeRange window, const std::function<void(const Row&, const Throttled&)>& take,
                   std::stop_token stop = {});

} // namespace helio
