#pragma once

#include "core/counters/ratios.h"

#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// Growth of CPU counters while one thread (or CPU) was in one state.
struct StateCounts {
    TrackRef row; ///< Row of the thread; row of the CPU if the CPU had no thread or if the thread is unknown.
    State state{}; ///< State of the row.
    Duration time{}; ///< Time that the row spent in this state on the given CPUs while their counters are known.
    std::vector<double> counted; ///< Growth of each series, in the order of the formula's names.
};

/// Sums the counters of the CPUs in `rows` by the thread that each CPU had and that thread's state, according to the traces of their hosts.
/// Sorted by row, then by state. Growth is spread evenly over the time between two points. Where a total of a row was reset, both growth
/// and time are left out. Elements of `rows` that are no CPUs are ignored.
/// Cost: a few µs for each interval of a thread on a CPU, and for each point.
std::vector<StateCounts> computeStateCounts(const Timeline& timeline, std::span<const RatioRow> rows, TimeRange window,
                                            std::stop_token stop = {});

} // namespace helio
