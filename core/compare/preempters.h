#pragma once

#include "core/compare/run_threads.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Threads with one name that had the CPU while threads of a run were preempted, added up over all runs.
struct Preempter {
    std::string comm; ///< Name of the threads; empty if the CPU was idle, or if the thread was not recorded.
    Duration time{};
};

/// Returns the preempters of the threads on which the wall time of the runs was spent, most time first. Empty if no states were recorded,
/// or if the basis is CPU time. If a preempted thread moves to another CPU and waits there, the threads on the CPU that it lost count.
/// Threads: any but the UI thread.
/// Cost: reads the intervals of all CPUs' threads in the runs.
std::vector<Preempter> preempters(const SideRuns& side, std::stop_token stop = {});

} // namespace helio
