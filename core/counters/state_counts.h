#pragma once

#include "core/counters/ratios.h"

#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// What counters of CPUs counted while a thread that had one of those was in a state.
struct StateCounts {
    TrackRef row; ///< The thread's; where a CPU had none, or nobody knows which, the CPU's.
    State state{}; ///< Of the row.
    Duration time{}; ///< That it was so on these CPUs, as far as the counters are known there.
    std::vector<double> counted; ///< By the formula's names.
};

/// Adds up over the CPUs of `rows`, with their threads' states as the traces of their hosts have them: by row, then state. What was counted
/// from one point to the next goes evenly to all of that time; where one of a row's totals fell, neither counts nor time are known. Of
/// rows that are no CPUs' there is nothing. Cost: some µs for each interval of a thread on a CPU, and each point.
std::vector<StateCounts> countsByState(const Timeline& timeline, std::span<const RatioRow> rows, TimeRange window,
                                       std::stop_token stop = {});

} // namespace helio
