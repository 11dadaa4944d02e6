#pragma once

#include "core/symbol/source_paths.h"

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// A source file as text.
struct SourceText {
    std::string recorded; ///< Path as the compiler recorded it.
    std::filesystem::path file; ///< Path from which it was read; empty if not found or not readable.
    std::vector<std::string> lines;
    std::vector<std::filesystem::path> looked; ///< Paths at which it was searched.
    std::string problem; ///< One sentence; empty: no problem.
};

/// Reads a source file, at most 16 MB of it.
/// Threads: any but the UI thread.
SourceText readSource(const std::string& recorded, const SourcePaths& paths);

} // namespace helio
