#pragma once

#include "core/trace/trace.h"

namespace helio::ctf {

/// Returns the CTF traces at or below `path`: folders with a metadata file. If `path` is a file, returns the trace of its folder. Chunks of
/// one trace (same UUID, and one metadata text is the beginning of the other) become one source, with its parts in the order of their
/// folders.
///
/// Cost: reads metadata files. Searches at most 12 folders deep and follows no symbolic links below `path`.
std::vector<TraceSource> findTraces(const std::filesystem::path& path);

/// Returns the stream files in a trace's folder, sorted by name.
Result<std::vector<std::filesystem::path>> findStreamFiles(const std::filesystem::path& folder);

} // namespace helio::ctf
