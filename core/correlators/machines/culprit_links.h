#pragma once

#include "core/correlation/cross_links.h"
#include "core/virtualization/absences.h"

#include <map>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio::machine_rows {

/// From a host's thread to the row that shows it as a vCPU.
using VcpuRows = std::map<TrackRef, TrackRef>;

/// Arrows from who had the CPU longest to the vCPU that was preempted meanwhile, both when it got the CPU: between the rows of vCPUs in
/// `view`, and between the threads of hosts in theirs. None from idle CPUs and from interrupts. Memory: some 100 bytes for each preemption.
CrossLinks culpritLinks(const Timeline& timeline, const std::vector<Machine>& all, Absences& absences, const VcpuRows& rows,
                        std::string_view view, const std::stop_token& stop);

} // namespace helio::machine_rows
