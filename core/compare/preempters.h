#pragma once

#include "core/compare/run_threads.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Threads of one name that had the CPU from which threads of a run were preempted: the sum over all runs.
struct Preempter {
    std::string comm; ///< Threads of one name are one. Empty: nobody, the CPU was idle; or it was not recorded.
    Duration time{};
};

/// Preempters of the threads that the wall time of the runs was spent on, most time first. Empty if no states were recorded, or the basis
/// is CPU time. If a preempted thread moves to another CPU to wait there, the threads on the CPU that it lost count.
/// Threads: any but the UI's. Cost: as reading the intervals of all CPUs' threads in the runs.
std::vector<Preempter> preempters(const SideRuns& side, std::stop_token stop = {});

} // namespace helio
