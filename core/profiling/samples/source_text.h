#pragma once

#include "core/symbol/source_paths.h"

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// A source file as text.
struct SourceText {
    std::string recorded; ///< Path of the source file as the compiler recorded it.
    std::filesystem::path file; ///< Path of the file that was read; empty if it was not found or is unreadable.
    std::vector<std::string> lines;
    std::vector<std::filesystem::path> looked; ///< Paths at which the file was searched.
    std::string problem; ///< Problem with the file as one sentence; empty if there is none.
};

/// Reads at most 16 MB of a source file.
/// Threads: any but the UI thread.
SourceText readSource(const std::string& recorded, const SourcePaths& paths);

} // namespace helio
