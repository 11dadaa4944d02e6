#pragma once

#include "core/symbol/source_paths.h"

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// A source file as text.
struct SourceText {
    std::string recorded; ///< Its path as the compiler wrote it.
    std::filesystem::path file; ///< Where it was read. Empty: not found, or not readable.
    std::vector<std::string> lines;
    std::vector<std::filesystem::path> looked; ///< Where it was looked for.
    std::string problem; ///< A plain sentence; empty: none.
};

/// Reads a source file. Not from the UI's thread. At most 16 MB of it.
SourceText readSource(const std::string& recorded, const SourcePaths& paths);

} // namespace helio
