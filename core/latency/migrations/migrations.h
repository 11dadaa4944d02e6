#pragma once

#include "core/latency/running/thread_runs.h"
#include "core/trace/cpu_topology.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// A thread getting a CPU, after it had another one or the same one before.
struct SwitchIn {
    TimeRange run; ///< That it then had the CPU.
    std::int32_t cpu = -1;
    CpuDistance distance{}; ///< From the CPU that it had before; SameCpu: it stayed.
    Duration off{}; ///< Since it left that.
    /// Of it, that it could run and had no CPU; the rest it slept, or waited for something else. Nothing: it slept when it was last heard
    /// of, and who woke it when was not recorded.
    std::optional<Duration> waited{};
};

/// The switch-ins of a thread.
struct ThreadMoves {
    TrackRef thread;
    std::vector<SwitchIn> all; ///< In time order, of those that began in the window; not its first.
    std::uint64_t unseen =
        0; ///< Those that are left out: nobody knows what the thread did in between: events of it were lost or not recorded.
};

/// Of all threads in the order of threads(), those that got a CPU in the window. A migration is seen by its thread's running on another CPU
/// than before, as its CPUs' switches say, whether sched_migrate_task was recorded or not; moves in between, to a CPU that it did not run
/// on, are none. `topologies`: by host; of a host that is not there every distance is Unknown.
/// Cost: as reading all states of threads once, and 48 bytes a switch-in.
std::vector<ThreadMoves> movesOf(const Timeline& timeline, const ThreadRuns& runs, const std::map<std::uint32_t, CpuTopology>& topologies,
                                 TimeRange window, std::stop_token stop = {});

/// What switch-ins of one distance come to.
struct MoveSums {
    std::uint64_t count = 0;
    Duration off{};
    std::uint64_t waits = 0; ///< Whose wait is known: what follows is of these.
    Duration waited{};
    Duration longestWait{};
    Timestamp longestWaitAt{}; ///< When that was over.

    void add(const SwitchIn& it);
};

} // namespace helio
