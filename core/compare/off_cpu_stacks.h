#pragma once

#include "core/compare/run_threads.h"
#include "core/profiling/samples/stack_names.h"

namespace helio {

/// Off-CPU time of a process's only thread, or of a selected thread, as a path of frames.
struct OffCpuStack {
    /// Frames, outermost first: a state and its culprit or detail, e.g. preempted, "by worker". "not on a CPU" if the reason was not
    /// recorded.
    std::vector<std::string> path;
    Duration time{};
};

/// Returns all off-CPU time of the runs. Empty for runs with several threads, because it cannot be added to their CPU time.
/// Cost: like computeTimesByCause() and preempters().
std::vector<OffCpuStack> computeOffCpuStacks(const SideRuns& side, std::stop_token stop = {});

/// Adds off-CPU time to the sampled stacks of the same runs, so that they add up to wall time. The added stacks have weight but no samples,
/// because the time was measured. Requires: the profile's weights are in ns, and `names` are its names.
void addOffCpuStacks(const std::vector<OffCpuStack>& times, StackProfile& profile, StackNames& names);

} // namespace helio
