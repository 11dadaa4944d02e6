#pragma once

#include "core/correlation/inter_trace_links.h"
#include "core/virtualization/vcpu_waits.h"

#include <map>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio::machine_rows {

/// Row of a vCPU in this correlator's view, by the vCPU's thread on the host.
using VcpuRows = std::map<TrackRef, TrackRef>;

/// Makes arrows from the thread that had the CPU longest to the vCPU that was preempted meanwhile; both ends are at the time when that
/// thread got the CPU. They connect the rows of vCPUs in `view`, and the threads of hosts in the views of those. Idle CPUs and interrupts
/// have no arrows.
/// Cost: about 100 bytes of memory for each preemption.
InterTraceLinks culpritLinks(const Timeline& timeline, const std::vector<VirtualMachine>& all, VcpuWaitFinder& absences,
                             const VcpuRows& rows, std::string_view view, const std::stop_token& stop);

} // namespace helio::machine_rows
