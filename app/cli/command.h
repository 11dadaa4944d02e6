#pragma once

#include "app/cli/exit_status.h"
#include "app/cli/selection/option_list.h"
#include "core/base/result.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// One call of a command: what its options are, were given as, and make it do. What addTo() adds is filled when arguments are parsed, so
/// it stays where it is.
class CommandCall {
public:
    virtual ~CommandCall() = default;

    virtual void addTo(OptionList& options) = 0;

    /// What it cannot run without, after its name: "a TRACE is missing". Empty: nothing.
    virtual std::string missing() const = 0;

    /// Checks and converts what was given. The error is of kind Usage and names the option.
    virtual Status read() = 0;

    /// Requires: read() succeeded. Answers the exit status; errors have been said on standard error.
    virtual int run() const = 0;
};

/// Makes a call of the command that `Run` runs. Its options are a struct of its own, with the first three functions of a CommandCall.
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

/// A command of the command line. A file X_command.cpp in app/cli/commands defines one as `extern const Command XCommand`, with a struct
/// of its options, composed of the groups in app/cli/selection; nothing else names it. The smallest to copy is index_command.cpp.
struct Command {
    int order; ///< Where the help lists it.
    const char* name;
    const char* what; ///< For the help: one line.
    std::unique_ptr<CommandCall> (*makeCall)();
};

/// All commands, in the order of the help.
const std::vector<const Command*>& commands();

/// Those that the build found, in the order of their files' names.
std::span<const Command* const> builtinCommands();

} // namespace helio
