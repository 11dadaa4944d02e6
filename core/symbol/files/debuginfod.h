#pragma once

#include <filesystem>
#include <string>

namespace helio {

enum class DebuginfodKind { Executable, DebugInfo };

struct DebuginfodAnswer {
    std::filesystem::path path; ///< In debuginfod's own cache; empty: not got.
    std::string problem; ///< Why not.
};

/// Asks the servers of DEBUGINFOD_URLS for a file; nothing is asked where that is not set. Requires: the person agreed.
/// The library is loaded when it is first needed, so the program does not depend on it. Slow: the network. Threads: any.
DebuginfodAnswer askDebuginfod(const std::string& buildId, DebuginfodKind kind);

} // namespace helio
