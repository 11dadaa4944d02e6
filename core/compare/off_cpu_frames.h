#pragma once

#include "core/compare/run_threads.h"
#include "core/profiling/samples/stack_names.h"

namespace helio {

/// Time of a process's only thread, or of a thread chosen, without a CPU, as frames: outermost first.
struct OffCpuFrames {
    std::vector<std::string> path; ///< A state and by whom or in what: preempted, by worker; "not on a CPU" where nobody recorded why.
    Duration time{};
};

/// All such time of the runs; nothing of runs with several threads, whose CPU time it cannot be added to. Cost: as causesOf() and
/// preempters().
std::vector<OffCpuFrames> timeOffCpu(const SideRuns& side, std::stop_token stop = {});

/// Puts it beside the sampled stacks of the same runs, so that they add up to wall time. Its stacks have
/// weight but no samples: it was measured. Requires: the profile's weights are ns, and `names` are its names.
void addTimeOffCpu(const std::vector<OffCpuFrames>& times, StackProfile& profile, StackNames& names);

} // namespace helio
