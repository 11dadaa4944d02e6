#pragma once

#include "core/trace/trace.h"

namespace helio::ctf {

/// The CTF traces at or below `path`: folders with a metadata file; for a file of such a folder, that folder's trace. Chunks of one
/// trace (same UUID, one's metadata the beginning of the other's) are one source with its parts in the order of their folders.
///
/// Cost: reads metadata files. Looks at most 12 folders deep, follows no symbolic links below `path`.
std::vector<TraceSource> findTraces(const std::filesystem::path& path);

/// The files that hold packets in a trace's folder, by name.
Result<std::vector<std::filesystem::path>> streamFiles(const std::filesystem::path& folder);

} // namespace helio::ctf
