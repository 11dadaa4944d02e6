#pragma once

#include "core/trace/trace.h"

namespace helio::perf {

/// Returns the perf.data files (and directories of `perf record --threads`) at or below the path.
std::vector<TraceSource> findRecordings(const std::filesystem::path& path);

/// Reads the header, attributes and features of a recording; TraceOpening::finish() reads its records.
Result<std::unique_ptr<TraceOpening>> beginPerf(const TraceSource& source);

} // namespace helio::perf
