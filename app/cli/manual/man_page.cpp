#include "app/cli/manual/manual.h"

#include <algorithm>
#include <cctype>

namespace helio {
namespace {

constexpr std::size_t LineWidth = 78;

/// Escapes characters with a meaning for troff, and characters that troff would replace by typographic ones.
std::string escapeTroff(std::string_view text)
{
    std::string result;
    for (const char c : text)
        switch (c) {
        case '\\': result += "\\e"; break;
        case '-': result += "\\-"; break;
        case '\'': result += "\\(aq"; break;
        case '`': result += "\\(ga"; break;
        case '^': result += "\\(ha"; break;
        case '~': result += "\\(ti"; break;
        default: result += c;
        }
    return result;
}

std::string bold(std::string_view text) { return "\\fB" + escapeTroff(text) + "\\fR"; }

std::string italic(std::string_view text) { return "\\fI" + escapeTroff(text) + "\\fR"; }

std::string toTroff(std::string_view text)
{
    std::string result;
    for (const TextSpan& span : splitLiterals(text))
        result += span.isLiteral ? bold(span.text) : escapeTroff(span.text);
    return result;
}

/// True if troff would interpret the word as a request at the beginning of a line.
bool isRequest(std::string_view word) { return word.starts_with('.') || word.starts_with('\''); }

/// Appends a text in lines. Begins a new line after each full stop, so that a line has at most one sentence.
void appendLines(std::string& page, std::string_view text)
{
    std::size_t column = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string_view word = text.substr(at, end - at);
        at = end + 1;
        if (word.empty())
            continue;
        if (column > 0 && column + 1 + word.size() > LineWidth) {
            page += '\n';
            column = 0;
        }
        if (column > 0)
            page += ' ';
        else if (isRequest(word))
            page += "\\&";
        page += word;
        column += word.size() + 1;
        if (word.ends_with('.') && !word.ends_with("e.g.") && !word.ends_with("..")) {
            page += '\n';
            column = 0;
        }
    }
    if (column > 0)
        page += '\n';
}

/// Appends a list item: a term on its own line, and its text indented below.
void appendItem(std::string& page, const std::string& term, std::string_view text)
{
    page += ".TP\n" + term + '\n';
    appendLines(page, toTroff(text));
}

std::string toUpper(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    return text;
}

void appendSection(std::string& page, const std::string& title) { page += ".SH " + toUpper(title) + '\n'; }

/// Appends lines verbatim, without filling.
void appendExample(std::string& page, const std::string& lines)
{
    page += ".nf\n";
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size());
        const std::string line = escapeTroff(std::string_view(lines).substr(at, end - at));
        page += (isRequest(line) ? "\\&" : "") + line + '\n';
        at = end + 1;
    }
    page += ".fi\n";
}

void appendOptions(std::string& page, const CommandHelp& command)
{
    for (const OptionGroup& group : command.groups) {
        if (hasHeading(command, group))
            page += ".PP\n" + escapeTroff(group.name) + ":\n";
        for (const OptionHelp& option : group.options)
            appendItem(page, bold(option.names) + (option.value.empty() ? "" : ' ' + italic(option.value)), option.text);
    }
    if (command.commonOptions.empty())
        return;
    std::string common = "Common options, see OPTIONS:";
    for (const std::string& option : command.commonOptions)
        common += ' ' + option + (&option == &command.commonOptions.back() ? "." : ",");
    page += ".PP\n";
    appendLines(page, toTroff(common));
}

} // namespace

std::string writeManPage(const Manual& manual)
{
    std::string page = ".\\\" Printed by heliograph help --format man.\n.TH HELIOGRAPH 1 \"\" Heliograph \"User commands\"\n";
    appendSection(page, "Name");
    std::string summary = manual.program.text;
    if (!summary.empty())
        summary[0] = char(std::tolower(static_cast<unsigned char>(summary[0])));
    page += escapeTroff(manual.program.name) + " \\- " + escapeTroff(summary) + '\n';
    appendSection(page, "Synopsis");
    appendExample(page, manual.program.usage);
    appendSection(page, "Description");
    appendLines(page, toTroff(manual.description));
    appendSection(page, "Options");
    appendLines(page, toTroff(manual.optionsText));
    appendOptions(page, manual.program);
    appendSection(page, "Commands");
    for (const CommandHelp& command : manual.commands) {
        page += ".SS " + escapeTroff(command.usage) + '\n';
        appendLines(page, toTroff(command.text));
        appendOptions(page, command);
        for (const std::string& lines : {command.notes, command.examples})
            if (!lines.empty()) {
                page += ".PP\n";
                appendExample(page, lines);
            }
    }
    appendSection(page, "Examples");
    appendExample(page, manual.examples);
    for (const ManualSection& section : manual.sections) {
        appendSection(page, section.title);
        appendLines(page, toTroff(section.text));
        for (const auto& [term, text] : section.entries)
            appendItem(page, toTroff(term), text);
    }
    appendSection(page, "See also");
    for (const std::string& name : manual.seeAlso) {
        const auto bracket = std::min(name.find('('), name.size());
        page +=
            ".BR " + escapeTroff(name.substr(0, bracket)) + ' ' + name.substr(bracket) + (&name == &manual.seeAlso.back() ? "\n" : ",\n");
    }
    return page;
}

} // namespace helio
