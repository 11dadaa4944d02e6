#include "app/cli/manual/manual.h"

#include "app/cli/command_parser.h"

#include <algorithm>
#include <cctype>

namespace helio {

namespace {

const char* const ManualDescription =
    "Without a command, heliograph opens a window that shows the traces as one experiment. A TRACE is a folder that an LTTng session "
    "wrote, a folder above it, an archive of one, or a file of another tracer, such as perf.data. With a command, it prints what a view "
    "shows "
    "as text; commands need no "
    "display.";

const char* const ManualOptions = "Options of the window. Each command names those it takes as common options.";

/// Returns the sections on topics that concern all commands.
std::vector<ManualSection> manualSections()
{
    return {
        {"Expressions",
         "`--filter` takes expressions of `== != < <= > >= =~ contains && || ! ( )` over `name`, `cpu`, `time`, `tid`, `pid`, `host`, "
         "`state` "
         "and `duration`, and over the fields of events by their names or as `fields.x` and `context.x`. Text stands in double quotes. "
         "Numbers are decimal or begin with 0x; durations have units (10us, 1.5s). A word without an operator matches any text that "
         "contains "
         "it, in upper or lower case. A comparison with a missing field is false.",
         {}},
        {"Exit status", CommandParser::exitStatus(), {}},
        {"Files",
         {},
         {{"`$XDG_CACHE_HOME/heliograph`", "Stores made from traces. They are made again if they are deleted."},
          {"`$XDG_STATE_HOME/heliograph/sql_history`", "Statements of earlier prompts of `heliograph sql --interactive`."},
          {"`$XDG_DATA_HOME/heliograph/analyses`, `$XDG_DATA_DIRS/heliograph/analyses`",
           "XML analyses, *.xml, in the language of Trace Compass: those of the user, and those of all users of the machine. Heliograph "
           "also "
           "reads a folder `analyses` in the folder of a trace, and one beside it. Only regular files are read. The user's analyses run "
           "wherever they apply; analyses of the program or of the system run where a command asks for one of their views."},
          {"`$XDG_DATA_HOME/heliograph/plugins`, `PREFIX/lib/heliograph/plugins`",
           "Plug-ins: those of the user, and those of all users of the machine. They are loaded once they are allowed."},
          {"`$XDG_CONFIG_HOME/heliograph/plugins`",
           "Plug-ins that the user allowed, and plug-ins that ended the program while they were loaded or ran. Such a plug-in is not "
           "loaded "
           "until it is allowed again."},
          {"`PREFIX/include/heliograph/heliograph_plugin.h`, `PREFIX/share/heliograph/examples/plugin`",
           "The C interface of plug-ins, and a worked example."}}},
        {"Environment",
         {},
         {{"`TZ`", "Time zone of times of day."}, {"`DEBUGINFOD_URLS`", "Servers that `--debuginfod` asks for symbols."}}},
    };
}

/// Returns the manual pages of related programs.
std::vector<std::string> relatedManuals() { return {"babeltrace2(1)", "lttng(1)", "perf(1)"}; }

std::string valueName(const CLI::Option& option)
{
    if (!option.get_option_text().empty())
        return option.get_option_text();
    if (option.get_type_size() == 0 || option.get_positional())
        return {};
    return option.get_type_name() + (option.get_expected_max() == CLI::detail::expected_max_vector_size ? "..." : "");
}

OptionHelp optionHelp(const CLI::Option& option)
{
    OptionHelp help;
    if (option.get_positional())
        help.names = option.get_name(true, false) + (option.get_expected_max() == CLI::detail::expected_max_vector_size ? "..." : "");
    else
        help.names = CLI::detail::find_and_replace(option.get_name(false, true), ",", ", ");
    help.value = valueName(option);
    help.text = option.get_description();
    if (const std::string value = option.get_default_str(); !value.empty())
        help.text += " [" + value + ']';
    return help;
}

/// Returns the option groups in the order of the help, positional arguments first.
std::vector<OptionGroup> optionGroups(const CLI::App& app)
{
    std::vector<OptionGroup> groups;
    const auto add = [&](const std::string& name, const auto& isWanted) {
        OptionGroup group{name, {}};
        for (const CLI::Option* option : app.get_options(isWanted))
            group.options.push_back(optionHelp(*option));
        if (!group.options.empty())
            groups.push_back(std::move(group));
    };
    add("Arguments", [](const CLI::Option* option) { return !option->get_group().empty() && option->get_positional(); });
    for (const std::string& name : helpGroups(app))
        add(name, [&](const CLI::Option* option) { return option->get_group() == name && option->nonpositional(); });
    return groups;
}

bool isAmong(const OptionHelp& option, const std::vector<OptionGroup>& groups)
{
    return std::ranges::any_of(groups,
                               [&](const OptionGroup& group) { return std::ranges::find(group.options, option) != group.options.end(); });
}

CommandHelp commandHelp(const CLI::App& command, const CommandHelp& program)
{
    CommandHelp help{command.get_name(), command.get_description(), {}, optionGroups(command), {}, {}, {}};
    if (const Command* const known = findCommand(help.name)) {
        help.notes = known->notes;
        help.examples = known->examples;
    }
    const std::string usage = CLI::Formatter().make_usage(&command, program.name + ' ' + help.name);
    help.usage = CLI::detail::trim_copy(usage.substr(usage.find(':') + 1));
    for (OptionGroup& group : help.groups)
        std::erase_if(group.options, [&](const OptionHelp& option) {
            const bool isCommon = isAmong(option, program.groups);
            if (isCommon && option.names.starts_with("--"))
                help.commonOptions.push_back(option.names);
            return isCommon;
        });
    std::erase_if(help.groups, [](const OptionGroup& group) { return group.options.empty(); });
    return help;
}

bool isOptionLetter(char c)
{
    return std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) || c == '-';
}

/// Returns the length of the option name (e.g. "--by-state") at position `at`; 0 if there is none.
std::size_t optionNameLength(std::string_view text, std::size_t at)
{
    const bool isWordBegin = at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
    if (!isWordBegin || !text.substr(at).starts_with("--") || at + 2 >= text.size()
        || !std::islower(static_cast<unsigned char>(text[at + 2])))
        return 0;
    const auto end = std::find_if_not(text.begin() + std::ptrdiff_t(at), text.end(), isOptionLetter);
    return std::size_t(end - text.begin()) - at;
}

} // namespace

Manual makeManual(const CommandParser& parser)
{
    const CLI::App& app = parser.app();
    Manual manual;
    manual.program = {app.get_name(), app.get_description(), CommandParser::usage(), optionGroups(app), {}, {}, {}};
    for (const CLI::App* command : app.get_subcommands({}))
        manual.commands.push_back(commandHelp(*command, manual.program));
    manual.description = ManualDescription;
    manual.optionsText = ManualOptions;
    manual.examples = CommandParser::examples();
    manual.sections = manualSections();
    manual.seeAlso = relatedManuals();
    return manual;
}

std::vector<TextSpan> splitLiterals(std::string_view text)
{
    std::vector<TextSpan> spans;
    const auto append = [&](std::string_view span, bool isLiteral) {
        if (!span.empty())
            spans.push_back({std::string(span), isLiteral});
    };
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = optionNameLength(text, at), skipped = 0;
        if (const auto end = text.find('`', at + 1); text[at] == '`' && end != std::string_view::npos) {
            skipped = 1;
            length = end - at + 1;
        }
        if (length == 0) {
            ++at;
            continue;
        }
        append(text.substr(begin, at - begin), false);
        append(text.substr(at + skipped, length - 2 * skipped), true);
        begin = at += length;
    }
    append(text.substr(begin), false);
    return spans;
}

bool hasHeading(const CommandHelp& command, const OptionGroup& group) { return command.groups.size() > 1 || group.name != "Options"; }

} // namespace helio
