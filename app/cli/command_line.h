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

/// Requires: runCommandLine() answered none for the same arguments, which Qt did not yet take its own from: it takes --plugin, too.
WindowArguments windowArguments(int argc, char** argv);

/// The name of the program and those arguments that are Qt's, with their values. They point into `argv`.
std::vector<char*> qtArguments(int argc, char** argv);

} // namespace helio
