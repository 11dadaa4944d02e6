#pragma once

#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/rows.h"
#include "core/store/store.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Summary of what a thread did in a range.
struct ThreadSummary {
    struct State {
        StateKind kind;
        std::uint64_t count = 0;
        Duration total{};
    };
    struct OnCpu {
        std::int32_t cpu = -1;
        std::uint64_t intervals = 0;
        Duration total{};
    };
    Row row;
    std::optional<Row> parent; ///< Parent row: the thread's process, or the process that started it.
    std::vector<State> states; ///< Total time in each state, longest first.
    std::vector<OnCpu> cpus; ///< CPUs on which the thread ran and for how long, longest first; empty if switches were not recorded.
    std::uint64_t migrations = 0; ///< Number of times that the thread continued on another CPU than before.
    EstimatedCpuTime sampled; ///< CPU time estimated from samples; set if the thread's states were not recorded.
    std::uint64_t events = 0; ///< Number of the thread's events in user-space traces.
};

/// Returns the summary of a thread in a range; nullopt if the track is not a thread's row. Incomplete if `stop` is requested.
/// Threads: any but the UI thread.
/// Cost: about 20 ns for each switch on any CPU of its trace in the range.
std::optional<ThreadSummary> threadSummary(const Timeline& timeline, TrackRef thread, TimeRange range, std::stop_token stop = {});

/// Flags for the two ends of a thread's lifetime. A flag is true if this end was recorded, and false if the thread may have lived longer
/// than the recording shows. An end was recorded if it lies within the trace, or if a process record shows it: an exec for the begin, an
/// exit for the end.
struct RecordedEnds {
    bool begin = false;
    bool end = false;
};
RecordedEnds recordedEnds(const Timeline& timeline, TrackRef thread);

} // namespace helio
