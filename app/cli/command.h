#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Exit statuses.
constexpr int ExitDone = 0;
constexpr int ExitInput = 1; ///< The input could not be used.
constexpr int ExitUsage = 2;

/// A call of a command: its options, the arguments given for them, and the function that runs it. Ownership: parsing fills the members that
/// addTo() registers, hence the object must keep its address.
class CommandCall {
public:
    virtual ~CommandCall() = default;

    virtual void addTo(OptionList& options) = 0;

    /// Returns the required argument that is missing, to be printed after the command's name, for example "a TRACE is missing"; empty if
    /// nothing is missing.
    virtual std::string missing() const = 0;

    /// Checks and converts the given arguments. Errors: Usage, with the name of the option.
    virtual Status read() = 0;

    /// Runs the command and returns its exit status; errors were printed on standard error. Requires: read() succeeded.
    virtual int run() const = 0;
};

/// Makes a call of the command that `Run` runs. `Options` is a struct with the functions addTo(), missing() and read() of a CommandCall.
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
    int order; ///< Position in the list of commands of the help.
    const char* name;
    const char* what; ///< Text of the help, one line.
    std::unique_ptr<CommandCall> (*makeCall)();
    const char* examples; ///< At least two command lines, each ending with a newline.
    const char* notes = ""; ///< Lines that the help prints after the options; empty if the options say it all.
};

/// All commands, in the order of the help.
const std::vector<const Command*>& commands();

/// Returns the command with this name; nullptr if there is none.
const Command* findCommand(std::string_view name);

/// The commands that the build found, in the order of their file names.
std::span<const Command* const> builtinCommands();

} // namespace helio
