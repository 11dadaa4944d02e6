#pragma once

#include "core/trace/cpu_topology.h"

#include <cstdint>
#include <stop_token>
#include <string_view>

namespace helio {

struct Timeline;

/// Returns the topology of a host's CPUs from its traces: from the description in perf data, which has caches and memory nodes, else from
/// LTTng's events lttng_statedump_cpu_topology, which have packages and cores only. Empty if no trace has either.
/// Cost: for the events, reads up to the last of them, which is usually near the recording's beginning.
CpuTopology topologyOf(const Timeline& timeline, std::uint32_t host, const std::stop_token& stop = {});

/// Returns the distance's name in output, for example "same-core" or "other-node".
std::string_view wordOf(CpuDistance distance);

} // namespace helio
