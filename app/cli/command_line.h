#pragma once

#include "core/experiment/experiment.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace helio {

/// Runs the command that the arguments name and returns its exit status. Returns nullopt if they name no command; the caller then opens a
/// window with windowArguments().
std::optional<int> runCommandLine(int argc, char** argv);

/// Arguments of a window.
struct WindowArguments {
    std::vector<std::filesystem::path> traces; ///< Traces to open; side B of a comparison.
    std::vector<std::filesystem::path> compared; ///< Traces of side A; empty if the window shows no comparison.
    ExperimentOptions experiment;
    std::vector<std::filesystem::path> analysisFiles; ///< XML files that run on every trace.
};

/// Returns the arguments for a window. Requires: runCommandLine() returned nullopt for the same arguments. Call it before Qt removes its
/// own options from them, since Qt removes --plugin, too.
WindowArguments windowArguments(int argc, char** argv);

/// Returns the name of the program and the arguments that are options of Qt, with their values. Ownership: the pointers point into `argv`.
std::vector<char*> qtArguments(int argc, char** argv);

} // namespace helio
