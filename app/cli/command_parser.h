#pragma once

#include "app/cli/command.h"
#include "app/cli/selection/trace_options.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Adds a command to `app`, and returns the call that parsing fills.
std::unique_ptr<CommandCall> addCommand(CLI::App& app, const Command& command);

/// Gives `app` and the commands added to it later the layout of the help.
void setHelpStyle(CLI::App& app);

/// Returns the headings of the options of a command in the order of the help: "Options" first, then those that commands share.
std::vector<std::string> helpGroups(const CLI::App& app);

/// Options of the program without a command.
struct WindowOptions {
    std::vector<std::filesystem::path> traces;
    std::vector<std::filesystem::path> compared; ///< Side A of --compare.
    ReadingOptions reading;

    void addTo(OptionList& options);
};

/// Parser of the whole command line: the options of the window, and every command with its options. It knows what the help says.
class CommandParser {
public:
    CommandParser();

    CLI::App& app() { return m_app; }
    const CLI::App& app() const { return m_app; }
    WindowOptions& window() { return m_window; }

    static std::string usage(); ///< Lines of the synopsis: "heliograph [OPTIONS] [TRACE...]".
    static std::string examples(); ///< Command lines with what they do, a line each.
    static std::string exitStatus();

private:
    CLI::App m_app;
    WindowOptions m_window;
    std::vector<std::unique_ptr<CommandCall>> m_calls; ///< Owners of the options' values.
};

} // namespace helio
