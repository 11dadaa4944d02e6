#pragma once

#include "core/experiment/experiment.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace helio {

/// Runs the command that the arguments name and answers its exit status. None: they name no command, a window is to be opened with what
/// windowArguments() says.
std::optional<int> runCommandLine(int argc, char** argv);

/// What a window is to be opened with.
struct WindowArguments {
    std::vector<std::filesystem::path> traces; ///< Comparing: side B.
    std::vector<std::filesystem::path> compared; ///< Side A; empty: nothing is compared.
    ExperimentOptions experiment;
    std::vector<std::filesystem::path> analysisFiles; ///< XML files that run on every trace.
};

/// Requires: runCommandLine() answered none for the same arguments.
WindowArguments windowArguments(int argc, char** argv);

} // namespace helio
