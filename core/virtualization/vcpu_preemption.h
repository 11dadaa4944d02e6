#pragma once

#include "core/virtualization/machine_tables.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Circumstances of a preemption of a vCPU, besides its culprits.
struct VcpuPreemption {
    std::string vcpu; ///< Name of the vCPU, for example "vCPU 0 of db".
    std::int32_t idleCpu = -1; ///< CPU of the host that was idle longest during the preemption; -1 if none was idle.
    Duration idleFor{}; ///< Time in which `idleCpu` was idle.
    std::vector<ExitStats> exits; ///< Exits of the vCPU around the preemption, the longest total first; empty if they were not recorded.
};

/// Returns the circumstances of a preemption. `row`: row of the vCPU, or a row that shows the same states; `range`: the preemption;
/// `around`: range of the exits. nullopt if the row belongs to no vCPU.
/// Threads: to be called from a query thread.
/// Cost: findVirtualMachines(), computeExitStats() in `around`, and visiting each interval of the host's CPUs in `range`, in parts of
/// bounded memory; ends early if `stop` is requested.
std::optional<VcpuPreemption> findVcpuPreemption(const Timeline& timeline, TrackRef row, TimeRange range, TimeRange around,
                                                 std::stop_token stop = {});

} // namespace helio
