#pragma once

#include "core/counters/ratios.h"

#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// Growth of CPU counters while one thread (or CPU) was in one state.
struct StateCounts {
    TrackRef row; ///< Row of the thread; row of the CPU if the CPU had no thread or if the thread is unknown.
    State state{};
    Duration time{}; ///< Time that the row spent in this state on the CPUs, except time in which the CPUs' counters are unknown.
    std::vector<double> counted; ///< Growth of each series, in the order of the formula's names.
};

/// Sums the counters of the CPUs in `rows` by the thread on the CPU and the thread's state, according to the traces of the CPU's host. The
/// result is sorted by row, then by state. Growth is spread evenly over the time between two points. State intervals in which a total was
/// reset are left out, both their growth and their time. Ignores elements of `rows` that are not CPUs.
/// Cost: a few µs for each interval of a thread on a CPU, and for each point.
std::vector<StateCounts> computeStateCounts(const Timeline& timeline, std::span<const RatioRow> rows, TimeRange window,
                                            std::stop_token stop = {});

} // namespace helio
