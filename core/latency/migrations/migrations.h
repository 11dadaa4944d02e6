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

/// A switch-in of a thread: on another CPU than the thread's previous one (a migration), or on the same CPU.
struct SwitchIn {
    TimeRange run; ///< Interval in which the thread had the CPU, from the switch-in on.
    std::int32_t cpu = -1;
    CpuDistance distance{}; ///< Distance from the thread's previous CPU; SameCpu if the thread did not migrate.
    Duration off{}; ///< Time between the switch-out from the previous CPU and the switch-in.
    /// Part of `off` in which the thread was runnable; during all other parts of `off`, it slept or waited. nullopt if its last
    /// recorded state before the switch-in was a sleep, because its wake-up was not recorded.
    std::optional<Duration> waited{};
};

/// The switch-ins of one thread in a time range.
struct ThreadSwitchIns {
    TrackRef thread;
    /// Switch-ins in the time range, in time order. The thread's first switch-in in the trace is left out, because its previous CPU is
    /// unknown.
    std::vector<SwitchIn> all;
    /// Number of switch-ins that are not in `all`, because the thread's states before them are unknown (events lost or not recorded).
    std::uint64_t unseen = 0;
};

/// Returns the switch-ins of all threads that got a CPU in `window`, in the order of threads(). A migration is recognized if a thread runs
/// on another CPU than before. sched_migrate_task is not needed, and a migration to a CPU on which the thread did not run is not counted.
/// `topologies` is keyed by host; without an entry for the host, distances are Unknown.
/// Cost: reads all states of the threads once. Memory: 48 bytes per switch-in.
std::vector<ThreadSwitchIns> collectSwitchIns(const Timeline& timeline, const ThreadRuns& runs,
                                              const std::map<std::uint32_t, CpuTopology>& topologies, TimeRange window,
                                              std::stop_token stop = {});

/// Sums over the switch-ins with one CPU distance.
struct SwitchInSums {
    std::uint64_t count = 0;
    Duration off{};
    std::uint64_t waits = 0; ///< Number of switch-ins with a known wait, which are the switch-ins in `waited` and `longestWait`.
    Duration waited{};
    Duration longestWait{};
    Timestamp longestWaitAt{}; ///< End of the longest wait.

    void add(const SwitchIn& it);
};

/// Returns the topology of a host's CPUs: from the description in perf data, which has caches and memory nodes, or else from LTTng's events
/// lttng_statedump_cpu_topology, which have packages and cores only. Empty if no trace of the host has either.
/// Cost: if the events are used, reads the trace up to the last of them, usually near the recording's beginning.
CpuTopology topologyOf(const Timeline& timeline, std::uint32_t host, const std::stop_token& stop = {});

/// Returns the distance's name in output, for example "same-core" or "other-node".
std::string_view wordOf(CpuDistance distance);

} // namespace helio
