#pragma once

#include "core/formats/perf_data/cursor.h"
#include "core/trace/cpu_topology.h"

namespace helio::perf {

// What features say of where CPUs lie: lists of CPUs as texts, "0-3,8-11". What is cut or no such list says nothing.

/// Packages and cores: HEADER_CPU_TOPOLOGY.
void readCpuTopology(CpuTopology& topology, Cursor cursor);
/// Nodes of memory: HEADER_NUMA_TOPOLOGY.
void readNumaTopology(CpuTopology& topology, Cursor cursor);
/// Second and third-level caches: HEADER_CACHE.
void readCaches(CpuTopology& topology, Cursor cursor);

} // namespace helio::perf
