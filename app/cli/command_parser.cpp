#include "app/cli/command_parser.h"

#include "core/base/version.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace helio {
namespace {

constexpr const char* Usage[]{"heliograph [OPTIONS] [TRACE...]", "heliograph COMMAND [OPTIONS] TRACE..."};

const char* const Examples = R"(heliograph TRACE                                   open a window
heliograph TRACE --at 12:34:56.789 --row tid:1234  open it at this time and thread
heliograph --compare SOLO -- PARALLEL              open a window that compares two
heliograph info TRACE
heliograph events TRACE --filter 'name == "sched_switch" && next_comm =~ "^worker"'
heliograph states TRACE --view control-flow --thread 1234 --format csv
heliograph compare --a SOLO --b PARALLEL --process solver
heliograph flame perf.data --format svg > flame.svg
heliograph render TRACE --view resources -o cpus.png
heliograph render perf.data --view flame -o flame.png
heliograph render --view difference --a SOLO --b PARALLEL -o difference.png
)";

/// Groups of options that concern the reading of traces. The help prints them after all other groups of options.
constexpr std::array<std::string_view, 5> ReadingGroups{"Input", "Clocks", "Symbols", "Analyses", "Processing"};

const char* const ExitStatus = "0 done, 1 the input could not be used, 2 wrong usage.";

/// Formatter of the help. Prints the command's own options before the option groups that many commands share.
class HelpFormatter final : public CLI::Formatter {
public:
    HelpFormatter()
    {
        column_width(28);
        label("POSITIONALS", "Arguments");
        label("Positionals", "Arguments");
        label("SUBCOMMANDS", "COMMANDS");
    }

    /// Returns the usage lines of a command or of the program. For the program, the lines come from `Usage`, because CLI11 would print the
    /// traces, which are arguments of the window, before the commands.
    std::string make_usage(const CLI::App* app, std::string name) const override
    {
        return app->get_parent() ? CLI::Formatter::make_usage(app, std::move(name))
                                 : std::string("Usage: ") + Usage[0] + "\n       " + Usage[1] + '\n';
    }

    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override
    {
        std::string text = make_description(app) + make_usage(app, std::move(name)) + make_positionals(app);
        for (const std::string& group : helpGroups(*app)) {
            const auto isShown = [&](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); };
            text += make_group(group, false, app->get_options(isShown));
        }
        return text + make_subcommands(app, mode) + '\n' + make_footer(app);
    }
};

/// Returns the examples with a heading. Requires: the last line of `examples` ends with a newline.
std::string exampleLines(const std::string& examples)
{
    const std::string indented = CLI::detail::find_and_replace('\n' + examples, "\n", "\n  ");
    return "Examples:" + indented.substr(0, indented.size() - 2);
}

} // namespace

std::unique_ptr<CommandCall> addCommand(CLI::App& app, const Command& command)
{
    CLI::App* const added = app.add_subcommand(command.name, command.what);
    added->group("Commands");
    added->footer((*command.notes ? std::string(command.notes) + '\n' : std::string()) + exampleLines(command.examples));
    OptionList options(*added);
    auto call = command.makeCall();
    call->addTo(options);
    return call;
}

void WindowOptions::addTo(OptionList& options)
{
    addTraces(options, traces);
    reading.addTo(options);
    options.list("--compare", compared, "TRACE...", "Compare two experiments in one window: --compare A... -- B...");
    position.addTo(options);
}

std::vector<std::string> helpGroups(const CLI::App& app)
{
    const auto isOwn = [](const std::string& group) { return group == "Options"; };
    const auto isAboutResults = [](const std::string& group) { return std::ranges::find(ReadingGroups, group) == ReadingGroups.end(); };
    std::vector<std::string> groups = app.get_groups();
    std::erase(groups, std::string());
    std::ranges::stable_partition(groups, isAboutResults);
    std::ranges::stable_partition(groups, isOwn);
    return groups;
}

void setHelpStyle(CLI::App& app)
{
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_help_flag("-h,--help", "Show this help");
}

CommandParser::CommandParser()
    : m_app("A timeline trace viewer for Linux performance work", "heliograph")
{
    setHelpStyle(m_app);
    m_app.set_version_flag("--version", std::string("heliograph ") + version(), "Show the version");
    OptionList options(m_app);
    m_window.addTo(options);
    for (const Command* command : commands())
        m_calls.push_back(addCommand(m_app, *command));
    m_app.footer(exampleLines(Examples) + "Exit status: " + ExitStatus);
}

std::string CommandParser::usage() { return std::string(Usage[0]) + '\n' + Usage[1] + '\n'; }
std::string CommandParser::examples() { return Examples; }
std::string CommandParser::exitStatus() { return ExitStatus; }

} // namespace helio
