#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

enum class IpcGrouping : std::uint8_t {
    Method, ///< One sum per system call, interrupt and trap, and per thread name for code in user space.
    Rpc, ///< One sum per method of the remote procedure calls (RPCs) that threads work on.
    Thread,
    Cpu,
};

/// Instructions per cycle (IPC) of a group of spans. A mean IPC is weighted by the time of the spans, which is the same as a weight by
/// cycles: KUtrace counts cycles of a clock with a constant rate. KUtrace records the IPC of a span as a code of 4 bits, which stands for a
/// range.
struct IpcSum {
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::string name;
    std::int32_t tid = -1; ///< Thread ID, for IpcGrouping::Thread; else -1.
    std::int32_t cpu = -1; ///< CPU number, for IpcGrouping::Cpu; else -1.
    std::uint64_t spans = 0; ///< Number of spans with a recorded IPC. Each part of an interrupted span counts.
    Duration time{}; ///< Total time of the spans with a recorded IPC.
    Duration unmeasured{}; ///< Total time of the spans without a recorded IPC.
    Duration low{}; ///< Total time of the spans with an IPC below 1/2.
    std::int64_t middle = 0; ///< Sum over the spans: time in ns times the middle of the span's IPC range in sixteenths.
    std::int64_t lowest = 0; ///< Sum over the spans: time in ns times the lower end of the span's IPC range in sixteenths.

    /// Returns the mean IPC, computed with the middle of each span's IPC range. Requires: time > 0.
    double ipc() const { return average(middle); }
    double lowestIpc() const { return average(lowest); } ///< Returns the lower bound of the mean IPC. Requires: time > 0.

private:
    double average(std::int64_t sum) const { return static_cast<double>(sum) / 16 / static_cast<double>(time.count()); }
};

/// True if a trace of the timeline has spans of KUtrace, even if no IPC was recorded.
bool hasIpc(const Timeline& timeline);

/// Returns one sum per group for the time range `window`, in no particular order. Only rows for which `accepts` returns true count; without
/// `accepts`, all rows. Idle time is in no sum. The sums are made from rows of CPUs for IpcGrouping::Cpu, and for IpcGrouping::Method if
/// any row of a CPU is accepted; otherwise from rows of threads. After a stop request, returns the sums so far.
///
/// Cost: about 50 ns per span.
std::vector<IpcSum> ipcSums(const Timeline& timeline, IpcGrouping grouping, TimeRange window,
                            const std::function<bool(const Row&)>& accepts, std::stop_token stop = {});

} // namespace helio
