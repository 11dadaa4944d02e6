#pragma once

#include "app/cli/command.h"
#include "app/cli/selection/position_options.h"
#include "core/experiment/experiment.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Runs the command named by the arguments and returns its exit status. Returns nullopt if the arguments name no command; the caller then
/// opens a window with windowArguments().
std::optional<int> runCommandLine(int argc, char** argv);

/// True if the environment names a display or a platform for windows.
bool hasDisplayVariable();

/// Returns the arguments of the command that runCommandLine() runs, which begin with its name; empty before.
const std::vector<std::string>& givenArguments();

/// An option of a command line.
struct GivenOption {
    std::string name; ///< For example "--offset".
    std::optional<std::string> value; ///< nullopt for a flag.
};
/// Returns the options in givenArguments() that concern the meaning of the traces: their formats, clocks, symbols and analyses.
const std::vector<GivenOption>& givenReadingOptions();

/// Runs a command inside another command or the window. Requires: an OutputRedirection exists on the thread. `words`: the name of the
/// command and its arguments. Returns the exit status.
int runCaptured(const std::vector<std::string>& words);

/// True if the command exists and takes the option, for example "--begin".
bool hasOption(std::string_view command, const std::string& option);

/// Parses the arguments of a command and runs it. The first argument is the command's name. Returns the exit status.
/// Errors: printed; with an OutputRedirection, passed to its receiver. Throws CommandCancelled if commandStop() was requested.
int runCommand(const Command& command, std::vector<std::string> arguments);

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
