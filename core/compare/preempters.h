#pragma once

#include "core/compare/run_threads.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Who had the CPU that the threads of a run were taken off, while they were preempted: the sum over all runs.
struct Preempter {
    std::string comm; ///< Threads of one name are one. Empty: nobody, the CPU was idle; or it was not recorded.
    Duration time{};
};

/// Of the threads that the wall time of the runs was spent on; the one with the most time first. Empty where no states were recorded, or
/// the basis is CPU time. Of a thread that then waits on another CPU, it is who had the first. Threads: any but the UI's. Cost: as reading
/// the intervals of all CPUs' threads in the runs.
std::vector<Preempter> preempters(const SideRuns& side, std::stop_token stop = {});

} // namespace helio
