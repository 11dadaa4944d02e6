#pragma once

#include "core/compare/run_threads.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Threads with the same name that had the CPU while threads of a run were preempted, summed over all runs.
struct Preempter {
    std::string comm; ///< Name of the threads; empty if the CPU was idle or its thread was not recorded.
    Duration time{};
};

/// Returns the preempters of the threads on which the wall time of the runs was spent (SideRuns::timed), by decreasing time. Empty if no
/// states were recorded, or if SideRuns::basis is a CPU time. If a preempted thread migrates and waits on another CPU, the threads on its
/// previous CPU are still its preempters.
/// Threads: any but the UI thread.
/// Cost: reads, for every CPU, which threads ran there during the runs.
std::vector<Preempter> preempters(const SideRuns& side, std::stop_token stop = {});

} // namespace helio
