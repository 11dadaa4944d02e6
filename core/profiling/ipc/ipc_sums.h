#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

enum class IpcGrouping : std::uint8_t {
    Method, ///< Sums by system call, interrupt, trap, and code of a thread's name in user space.
    Rpc, ///< Sums by method of the remote procedure call that the thread works on.
    Thread,
    Cpu,
};

/// Instructions per cycle (IPC) over several spans, weighted by their time. KUtrace counts cycles of a clock with a constant rate, so a
/// weight by time is a weight by cycles.
struct IpcSum {
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::string name;
    std::int32_t tid = -1; ///< Linux TID, for IpcGrouping::Thread; else -1.
    std::int32_t cpu = -1; ///< CPU number, for IpcGrouping::Cpu; else -1.
    std::uint64_t spans = 0; ///< Number of spans with IPC. A span that another one divides counts several times.
    Duration time{}; ///< Time of the spans with IPC.
    Duration unmeasured{}; ///< Time of spans without IPC.
    Duration low{}; ///< Time of the spans with an IPC below 1/2.
    std::int64_t middle = 0; ///< Sum of time in ns times the middle of the code's range in sixteenths.
    std::int64_t lowest = 0; ///< Sum of time in ns times the lowest IPC of the code in sixteenths.

    double ipc() const { return average(middle); } ///< Mean of the middles of the ranges that the codes stand for. Requires: time > 0.
    double lowestIpc() const { return average(lowest); } ///< Lower bound of the mean. Requires: time > 0.

private:
    double average(std::int64_t sum) const { return static_cast<double>(sum) / 16 / static_cast<double>(time.count()); }
};

/// Returns true if the timeline has spans with methods, with or without IPC.
bool hasIpc(const Timeline& timeline);

/// Returns the sums of each group in `window`, in no particular order. Idle time is in no sum. IpcGrouping::Cpu, and Method if `accepts`
/// accepts any CPU, read the rows of CPUs; the other groupings read the rows of threads. After a stop request, returns the sums so far.
///
/// Cost: about 50 ns per span.
std::vector<IpcSum> ipcSums(const Timeline& timeline, IpcGrouping grouping, TimeRange window,
                            const std::function<bool(const Row&)>& accepts, std::stop_token stop = {});

} // namespace helio
