#pragma once

#include "core/compare/process_runs.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Who had the CPU that a run's first thread was taken off, while it was preempted: the sum over all runs.
struct Preempter {
    std::string comm; ///< Threads of one name are one. Empty: nobody, the CPU was idle; or it was not recorded.
    Duration time{};
};

/// The one with the most time first; empty where no states were recorded. Of one that then waits on another CPU, it is who had the first.
/// Threads: any but the UI's. Cost: as reading the intervals of all CPUs' threads in the runs.
std::vector<Preempter> preempters(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop = {});

} // namespace helio
