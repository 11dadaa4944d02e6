#pragma once

#include <filesystem>
#include <string>

namespace helio {

enum class DebuginfodKind { Executable, DebugInfo };

struct DebuginfodResult {
    std::filesystem::path path; ///< File in debuginfod's own cache; empty if the request failed.
    std::string problem; ///< Reason why the request failed.
};

/// Requests a file from the servers in DEBUGINFOD_URLS. Fails without a request if the variable is not set. libdebuginfod is loaded at the
/// first request, so that the program does not depend on it. Requires: the user agreed to requests.
/// Threads: any.
/// Cost: slow; uses the network.
DebuginfodResult fetchFromDebuginfod(const std::string& buildId, DebuginfodKind kind);

} // namespace helio
