#pragma once

#include "core/compare/process_runs.h"
#include "core/query/samples/stack_names.h"

namespace helio {

/// Time of a process's first thread without a CPU, as frames: outermost first.
struct OffCpuFrames {
    std::vector<std::string> path; ///< A state and by whom or in what: preempted, by worker; "not on a CPU" where nobody recorded why.
    Duration time{};
};

/// All such time of the runs. Cost: as causesOf() and preempters().
std::vector<OffCpuFrames> timeOffCpu(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop = {});

/// Puts it beside the sampled stacks of the same runs, so that they add up to wall time (of a process with one thread). Its stacks have
/// weight but no samples: it was measured. Requires: the profile's weights are ns, and `names` are its names.
void addTimeOffCpu(const std::vector<OffCpuFrames>& times, StackProfile& profile, StackNames& names);

} // namespace helio
