#pragma once

#include "app/cli/selection/position_options.h"
#include "core/experiment/experiment.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace helio {

/// Runs the command named by the arguments and returns its exit status. Returns nullopt if the arguments name no command; the caller then
/// opens a window with windowArguments().
std::optional<int> runCommandLine(int argc, char** argv);

/// Arguments of the program if it opens a window.
struct WindowArguments {
    std::vector<std::filesystem::path> traces; ///< Traces to open; side B of a comparison.
    std::vector<std::filesystem::path> compared; ///< Traces of side A; empty if the window shows no comparison.
    ExperimentOptions experiment;
    std::vector<std::filesystem::path> analysisFiles; ///< XML files with analyses that run on every trace.
    PositionOptions position; ///< Position at which the window opens the traces.
};

/// Returns the arguments for a window. Requires: runCommandLine() returned nullopt for the same arguments. Must be called before Qt removes
/// its own options from the arguments, because Qt also removes --plugin.
WindowArguments windowArguments(int argc, char** argv);

/// Returns the program's name, followed by the options of Qt with their values.
/// Ownership: the pointers point into `argv`.
std::vector<char*> qtArguments(int argc, char** argv);

} // namespace helio
