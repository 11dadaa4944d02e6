#pragma once

#include "core/latency/running/thread_runs.h"
#include "core/trace/cpu_topology.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

struct Timeline;

/// A switch-in of a thread on another CPU than before, or on the same CPU.
struct SwitchIn {
    TimeRange run; ///< Time for which the thread then had the CPU.
    std::int32_t cpu = -1;
    CpuDistance distance{}; ///< Distance from the previous CPU; SameCpu if the thread stayed.
    Duration off{}; ///< Time since it left the previous CPU.
    /// Time for which it was runnable without a CPU; for the remaining time it slept or waited. nullopt if it slept in the last recorded
    /// state and its wake-up was not recorded.
    std::optional<Duration> waited{};
};

/// Switch-ins of one thread.
struct ThreadSwitchIns {
    TrackRef thread;
    std::vector<SwitchIn> all; ///< Switch-ins that begin in the window, in the order of time, except the thread's first one.
    /// Count of switch-ins left out because events were lost or not recorded, so that the thread's states before are unknown.
    std::uint64_t unseen = 0;
};

/// Returns the switch-ins of all threads that got a CPU in the window, in the order of threads(). A migration is recognized by the thread's
/// running on another CPU than before, from the switches of the CPUs; sched_migrate_task is not needed. Migrations to a CPU on which the
/// thread did not run do not count. `topologies` is keyed by host; distances of a missing host are Unknown.
/// Memory: 48 bytes per switch-in.
/// Cost: reads all states of threads once.
std::vector<ThreadSwitchIns> collectSwitchIns(const Timeline& timeline, const ThreadRuns& runs,
                                              const std::map<std::uint32_t, CpuTopology>& topologies, TimeRange window,
                                              std::stop_token stop = {});

/// Sums over the switch-ins of one distance.
struct SwitchInSums {
    std::uint64_t count = 0;
    Duration off{};
    std::uint64_t waits = 0; ///< Count of switch-ins with a known wait; `waited` and `longestWait` cover these.
    Duration waited{};
    Duration longestWait{};
    Timestamp longestWaitAt{}; ///< End of the longest wait.

    void add(const SwitchIn& it);
};

/// Returns the topology of a host's CPUs from its traces: from the description in perf data, which has caches and memory nodes, else from
/// LTTng's events lttng_statedump_cpu_topology, which have packages and cores only. Empty if no trace has either.
/// Cost: for the events, reads up to the last of them, which is usually near the recording's beginning.
CpuTopology topologyOf(const Timeline& timeline, std::uint32_t host, const std::stop_token& stop = {});

/// Returns the distance's name in output, for example "same-core" or "other-node".
std::string_view wordOf(CpuDistance distance);

} // namespace helio
