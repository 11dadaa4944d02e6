#pragma once

#include "core/trace/trace.h"

namespace helio::perf {

/// The perf.data files (and directories of `perf record --threads`) at or below the path.
std::vector<TraceSource> findRecordings(const std::filesystem::path& path);

/// Reads header, attributes and features.
Result<std::unique_ptr<TraceOpening>> beginPerf(const TraceSource& source);

} // namespace helio::perf
