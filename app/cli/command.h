#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Exit statuses of the program.
constexpr int ExitDone = 0;
constexpr int ExitInput = 1; ///< Exit status if the input could not be used.
constexpr int ExitUsage = 2;

/// A call of a command: its options, their arguments, and the function that runs it.
/// Ownership: addTo() registers pointers to members, which parsing fills, so the object must not move.
class CommandCall {
public:
    virtual ~CommandCall() = default;

    virtual void addTo(OptionList& options) = 0;

    /// Returns an error message if a required argument is missing, for example "a TRACE is missing", without the command's name; empty if
    /// none is missing.
    virtual std::string missing() const = 0;

    /// Checks the arguments and converts them to the values that run() uses.
    /// Errors: Usage; the message begins with the name of the wrong option.
    virtual Status read() = 0;

    /// Runs the command, prints errors to standard error and returns the exit status. Requires: read() succeeded.
    virtual int run() const = 0;
};

/// Returns a CommandCall that calls the function `Run`. `Options` is a struct with the functions addTo(), missing() and read() of
/// CommandCall.
template <typename Options, int (*Run)(const Options&)> std::unique_ptr<CommandCall> callOf()
{
    class Call final : public CommandCall {
        void addTo(OptionList& options) override { m_options.addTo(options); }
        std::string missing() const override { return m_options.missing(); }
        Status read() override { return m_options.read(); }
        int run() const override { return Run(m_options); }

        Options m_options;
    };
    return std::make_unique<Call>();
}

/// A command of the command line. Each file X_command.cpp in app/cli/commands defines one as `extern const Command XCommand`, with a
/// struct of its options, composed of the groups in app/cli/selection. The build finds these files; no other code names the command. The
/// smallest example is index_command.cpp.
struct Command {
    int order; ///< Position of the command in the help's list of commands.
    const char* name;
    const char* what; ///< Summary of the command for the help, one line.
    std::unique_ptr<CommandCall> (*makeCall)();
    const char* examples; ///< Examples for the help: at least two command lines, each ending with a newline.
    const char* notes = ""; ///< Lines that the help prints after the options; may be empty.
};

/// Returns all commands, in the order of the help.
const std::vector<const Command*>& commands();

/// Returns the command with the given name; nullptr if there is none.
const Command* findCommand(std::string_view name);

/// Returns the commands that the build found, in the order of their file names.
std::span<const Command* const> builtinCommands();

} // namespace helio
