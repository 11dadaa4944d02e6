#pragma once

#include "core/trace/cpu_topology.h"

#include <cstdint>
#include <stop_token>
#include <string_view>

namespace helio {

struct Timeline;

/// Where a host's CPUs lie, as its traces say it: perf's description, which knows caches and nodes of memory, else LTTng's events
/// lttng_statedump_cpu_topology, which know packages and cores alone. Empty where none of them says anything. Cost: with the events, of
/// reading up to the last of them, which is mostly near the recording's begin.
CpuTopology topologyOf(const Timeline& timeline, std::uint32_t host, const std::stop_token& stop = {});

/// "same-core", "other-node": in answers.
std::string_view wordOf(CpuDistance distance);

} // namespace helio
