#include "app/cli/manual/manual.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>

namespace helio {
namespace {

bool isWordLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80; }

/// Escapes characters with a meaning in Markdown.
std::string escapeMarkdown(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isInWord = i > 0 && i + 1 < text.size() && isWordLetter(text[i - 1]) && isWordLetter(text[i + 1]);
        const bool isLink = text[i] == ']' && i + 1 < text.size() && std::string_view("([:").find(text[i + 1]) != std::string_view::npos;
        if (std::string_view("\\`*<|~#").find(text[i]) != std::string_view::npos || (text[i] == '_' && !isInWord) || isLink)
            result += '\\';
        result += text[i];
    }
    return result;
}

/// Returns the text as Markdown code. A text with `|` in a table is returned as plain text with an escaped `|` instead: some Markdown
/// readers show the backslash of an escape inside code.
std::string toCode(std::string_view text, bool isInTable)
{
    return isInTable && text.find('|') != std::string_view::npos ? escapeMarkdown(text) : '`' + std::string(text) + '`';
}

std::string toMarkdown(std::string_view text, bool isInTable = false)
{
    std::string result;
    for (const TextSpan& span : splitLiterals(text))
        result += span.isLiteral ? toCode(span.text, isInTable) : escapeMarkdown(span.text);
    return result;
}

void writeOptions(std::string& page, const CommandHelp& command)
{
    const auto out = std::back_inserter(page);
    for (const OptionGroup& group : command.groups) {
        fmt::format_to(out, "| {} | Meaning |\n|---|---|\n", hasHeading(command, group) ? group.name : "Option");
        for (const OptionHelp& option : group.options)
            fmt::format_to(out, "| {} | {} |\n", toCode(option.names + (option.value.empty() ? "" : ' ' + option.value), true),
                           toMarkdown(option.text, true));
        page += '\n';
    }
    if (command.commonOptions.empty())
        return;
    page += "[Common options](#options): ";
    for (const std::string& option : command.commonOptions)
        fmt::format_to(out, "{}{}", &option == &command.commonOptions.front() ? "" : ", ", toCode(option, false));
    page += ".\n\n";
}

} // namespace

std::string writeMarkdown(const Manual& manual)
{
    std::string page;
    const auto out = std::back_inserter(page);
    fmt::format_to(out, "# Reference of the commands\n\n{}\n\n", toMarkdown(manual.description));
    fmt::format_to(out, "`heliograph help --format markdown` prints this page, `heliograph COMMAND --help` a part of it.\n\n");
    fmt::format_to(out, "```\n{}```\n\n| Command | Meaning |\n|---|---|\n", manual.program.usage);
    for (const CommandHelp& command : manual.commands)
        fmt::format_to(out, "| [{0}](#{0}) | {1} |\n", command.name, toMarkdown(command.text, true));
    fmt::format_to(out, "\n## Options\n\n{}\n\n", toMarkdown(manual.optionsText));
    writeOptions(page, manual.program);
    page += "## Commands\n\n";
    for (const CommandHelp& command : manual.commands) {
        fmt::format_to(out, "### {}\n\n{}\n\n```\n{}\n```\n\n", command.name, toMarkdown(command.text), command.usage);
        writeOptions(page, command);
        for (const std::string& lines : {command.notes, command.examples})
            if (!lines.empty())
                fmt::format_to(out, "```\n{}```\n\n", lines);
    }
    fmt::format_to(out, "## Examples\n\n```\n{}```\n", manual.examples);
    for (const ManualSection& section : manual.sections) {
        fmt::format_to(out, "\n## {}\n\n", section.title);
        if (!section.text.empty())
            fmt::format_to(out, "{}\n", toMarkdown(section.text));
        for (const auto& [term, text] : section.entries)
            fmt::format_to(out, "- {}: {}\n", toMarkdown(term), toMarkdown(text));
    }
    return page;
}

} // namespace helio
