#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio {

class CommandParser;

/// An option as the help shows it.
struct OptionHelp {
    std::string names; ///< Names of the option, e.g. "-o, --output".
    std::string value; ///< Placeholder of the option's argument, e.g. "FILE"; empty if it has none.
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
    std::string text; ///< Summary of the command, one line.
    std::string usage;
    std::vector<OptionGroup> groups; ///< Groups of options, without --help and the common options.
    std::vector<std::string> commonOptions; ///< Names of options that the program without a command also has, with the same text.
    std::string notes; ///< Notes printed after the options; may be empty.
    std::string examples; ///< Example command lines; may be empty.
};

/// A section of the manual that is not made from the help. Text between backticks is literal text.
struct ManualSection {
    struct Entry {
        std::string term;
        std::string text;
    };
    std::string title;
    std::string text; ///< Text of the section; may be empty.
    std::vector<Entry> entries;
};

/// Content of the reference page and of the man page.
struct Manual {
    CommandHelp program;
    std::vector<CommandHelp> commands;
    std::string description;
    std::string optionsText; ///< Paragraph before the options of the program.
    std::string examples; ///< Example command lines of the program.
    std::vector<ManualSection> sections; ///< Sections after the examples, in the order of the page.
    std::vector<std::string> seeAlso; ///< Related manual pages, e.g. "lttng(1)".
};

/// Collects the help of all commands and adds the sections that are not part of the help.
Manual makeManual(const CommandParser& parser);

std::string writeMarkdown(const Manual& manual);
std::string writeManPage(const Manual& manual);

/// A part of a text: plain text, or a literal. Literals are texts between backticks and names of options.
struct TextSpan {
    std::string text;
    bool isLiteral = false;
};
std::vector<TextSpan> splitLiterals(std::string_view text);

/// True if the manual prints the title of the group as a heading. No heading is needed if the command has a single group with the title
/// "Options".
bool hasHeading(const CommandHelp& command, const OptionGroup& group);

} // namespace helio
