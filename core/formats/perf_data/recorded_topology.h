#pragma once

#include "core/formats/perf_data/binary_reader.h"
#include "core/trace/cpu_topology.h"

namespace helio::perf {

// Reads the topology of CPUs from features, which have lists of CPUs as texts like "0-3,8-11". Truncated and invalid lists are ignored.

/// Reads packages and cores from HEADER_CPU_TOPOLOGY.
void readCpuTopology(CpuTopology& topology, BinaryReader cursor);
/// Reads NUMA nodes from HEADER_NUMA_TOPOLOGY.
void readNumaTopology(CpuTopology& topology, BinaryReader cursor);
/// Reads second and third-level caches from HEADER_CACHE.
void readCaches(CpuTopology& topology, BinaryReader cursor);

} // namespace helio::perf
