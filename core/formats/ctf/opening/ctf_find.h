#pragma once

#include "core/trace/trace.h"

namespace helio::ctf {

/// Returns the CTF traces at or below `path`, which are folders with a metadata file. If `path` is a file, returns the trace of its folder.
/// Chunks of one trace become one source, with its parts in the order of their folders. Folders are chunks of one trace if they have the
/// same UUID, and one metadata text is the beginning of the other.
///
/// Cost: reads metadata files. Searches at most 12 folders deep and does not follow symbolic links below `path`.
std::vector<TraceSource> findTraces(const std::filesystem::path& path);

/// Returns the stream files in a trace's folder, sorted by name.
Result<std::vector<std::filesystem::path>> findStreamFiles(const std::filesystem::path& folder);

} // namespace helio::ctf
