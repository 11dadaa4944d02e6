#pragma once

#include "app/cli/selection/option_groups.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A command of the command line. A file X_command.cpp in app/cli/commands defines one as `extern const Command XCommand`; nothing else
/// names it. The smallest to copy is index_command.cpp.
struct Command {
    int order; ///< Where the help lists it.
    const char* name;
    const char* what; ///< For the help: one line.

    void (*addOptions)(OptionList& options, OptionTexts& texts);

    /// The formats in which it prints what these options ask for, the default first. Null: it has no --format.
    std::vector<std::string_view> (*formats)(const OptionTexts& texts);

    /// What it cannot run without, after its name: "a TRACE is missing". Empty: nothing.
    std::string (*missing)(const OptionTexts& texts);

    /// Answers the exit status; errors have been said on standard error.
    int (*run)(const CommandOptions& options);

    const char* formatNote = ""; ///< For the help of --format: after the formats.
};

/// All commands, in the order of the help.
const std::vector<const Command*>& commands();

/// Those that the build found, in the order of their files' names.
std::span<const Command* const> builtinCommands();

} // namespace helio
