#pragma once

#include "core/correlation/inter_trace_links.h"
#include "core/virtualization/vcpu_waits.h"

#include <map>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio::machine_rows {

/// Maps the host thread of a vCPU to the vCPU's row in this correlator's view.
using VcpuRows = std::map<TrackRef, TrackRef>;

/// Makes an arrow for each preemption of a vCPU: from the thread that used the vCPU's CPU longest during the preemption, to the vCPU. Both
/// ends of the arrow are at the time when the culprit's thread got the CPU. One set of arrows connects the rows in `view`, another set
/// connects the host's threads in the views of these threads. Idle CPUs and interrupts get no arrows.
/// Memory: about 100 bytes for each preemption.
InterTraceLinks culpritLinks(const Timeline& timeline, const std::vector<VirtualMachine>& all, VcpuWaitFinder& absences,
                             const VcpuRows& rows, std::string_view view, const std::stop_token& stop);

} // namespace helio::machine_rows
