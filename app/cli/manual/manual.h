#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio {

class CommandParser;

/// An option as the help shows it.
struct OptionHelp {
    std::string names; ///< Names of the option, e.g. "-o, --output".
    std::string value; ///< Placeholder of the argument, e.g. "FILE"; empty if the option takes none.
    std::string text; ///< Description, with the default in brackets if CLI11 knows one.

    bool operator==(const OptionHelp&) const = default;
};

/// Options under one heading of the help.
struct OptionGroup {
    std::string name;
    std::vector<OptionHelp> options;
};

/// The help of a command, or of the program without a command.
struct CommandHelp {
    std::string name;
    std::string text; ///< Summary in one line.
    std::string usage;
    std::vector<OptionGroup> groups; ///< Without --help, and without the common options.
    std::vector<std::string> commonOptions; ///< Names of options that read the same among those of the program.
    std::string notes; ///< Lines that follow the options; may be empty.
    std::string examples; ///< Command lines; may be empty.
};

/// A section of the manual that is not made from the help. A text between backticks is typed or printed as it stands.
struct ManualSection {
    struct Entry {
        std::string term;
        std::string text;
    };
    std::string title;
    std::string text; ///< May be empty.
    std::vector<Entry> entries;
};

/// Content of the reference page and of the man page.
struct Manual {
    CommandHelp program;
    std::vector<CommandHelp> commands;
    std::string description;
    std::string optionsText; ///< Paragraph before the options of the program.
    std::string examples; ///< Command lines.
    std::vector<ManualSection> sections; ///< Sections after the examples, in this order.
    std::vector<std::string> seeAlso; ///< Other manual pages, e.g. "lttng(1)".
};

/// Collects the help of all commands, and adds the sections that the help does not have.
Manual makeManual(const CommandParser& parser);

std::string writeMarkdown(const Manual& manual);
std::string writeManPage(const Manual& manual);

/// A piece of a text. Literals are typed or printed as they stand: they stood between backticks, or are the name of an option.
struct TextPiece {
    std::string text;
    bool isLiteral = false;
};
std::vector<TextPiece> splitLiterals(std::string_view text);

/// True if the heading of the group says more than that options follow.
bool hasHeading(const CommandHelp& command, const OptionGroup& group);

} // namespace helio
