#pragma once

#include "core/compare/run_threads.h"
#include "core/profiling/samples/stack_names.h"

namespace helio {

/// Off-CPU time of a process's only thread, or of a selected thread, as a path of artificial frames.
struct OffCpuStack {
    /// Frames, outermost first: a state, then its culprit or detail, e.g. preempted, "by worker". Only "not on a CPU" if the reason was not
    /// recorded.
    std::vector<std::string> path;
    Duration time{};
};

/// Returns the off-CPU time of all runs. Empty for runs with several threads, because the off-CPU time of one thread cannot be added to the
/// CPU time of all threads.
/// Cost: like computeTimesByCause() and preempters().
std::vector<OffCpuStack> computeOffCpuStacks(const SideRuns& side, std::stop_token stop = {});

/// Adds off-CPU time to the sampled stacks of the same runs, so that the sum is the wall time. The added stacks have a weight but no
/// samples, because off-CPU time is measured. Requires: the weights of the profile are in ns, and `names` are the names of its stacks.
void addOffCpuStacks(const std::vector<OffCpuStack>& times, StackProfile& profile, StackNames& names);

} // namespace helio
