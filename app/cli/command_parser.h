#pragma once

#include "app/cli/command.h"
#include "app/cli/selection/position_options.h"
#include "app/cli/selection/trace_options.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Adds a command and its options to `app`. Returns the object that receives the values of the options when `app` parses the command line.
std::unique_ptr<CommandCall> addCommand(CLI::App& app, const Command& command);

/// Sets the help formatter of `app` and of commands that are added to it later.
void setHelpStyle(CLI::App& app);

/// Returns the headings of a command's options in the order of the help: "Options", then the headings of shared groups.
std::vector<std::string> helpGroups(const CLI::App& app);

/// Options of the program without a command.
struct WindowOptions {
    std::vector<std::filesystem::path> traces;
    std::vector<std::filesystem::path> compared; ///< Traces of side A, given with --compare.
    ReadingOptions reading;
    PositionOptions position;

    void addTo(OptionList& options);
};

/// Parser of the whole command line: the options of the window, and every command with its options. Also the source of the help texts.
class CommandParser {
public:
    CommandParser();

    CLI::App& app() { return m_app; }
    const CLI::App& app() const { return m_app; }
    WindowOptions& window() { return m_window; }

    static std::string usage(); ///< Returns the lines of the synopsis, e.g. "heliograph [OPTIONS] [TRACE...]".
    static std::string examples(); ///< Returns example command lines, each with a description on the same line.
    static std::string exitStatus();

private:
    CLI::App m_app;
    WindowOptions m_window;
    std::vector<std::unique_ptr<CommandCall>> m_calls; ///< Objects with the option values of the commands, one object for each command.
};

} // namespace helio
