#include "app/cli/command_parser.h"

#include "core/base/version.h"

namespace helio {
namespace {

constexpr const char* Usage[]{"heliograph [OPTIONS] [TRACE...]", "heliograph COMMAND [OPTIONS] TRACE..."};

const char* const Examples = R"(heliograph TRACE                                   open a window
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

const char* const ExitStatus = "0 done, 1 the input could not be used, 2 wrong usage.";

/// CLI11 would name what is opened in a window before the commands, which come first.
class WindowHelp final : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* app, std::string name) const override
    {
        return app->get_parent() ? CLI::Formatter::make_usage(app, std::move(name))
                                 : std::string("Usage: ") + Usage[0] + "\n       " + Usage[1] + '\n';
    }
};

std::string footer()
{
    const std::string examples = CLI::detail::find_and_replace('\n' + std::string(Examples), "\n", "\n  ");
    return "Examples:" + examples.substr(0, examples.size() - 2) + "Exit status: " + ExitStatus;
}

} // namespace

std::unique_ptr<CommandCall> addCommand(CLI::App& app, const Command& command)
{
    OptionList options(*app.add_subcommand(command.name, command.what));
    auto call = command.makeCall();
    call->addTo(options);
    return call;
}

void WindowOptions::addTo(OptionList& options)
{
    addTraces(options, traces);
    reading.addTo(options);
    options.list("--compare", compared, "TRACE...", "Compare: --compare A... -- B... opens both, one above the other");
}

CommandParser::CommandParser()
    : m_app("A timeline trace viewer for Linux performance work", "heliograph")
{
    m_app.formatter(std::make_shared<WindowHelp>());
    m_app.set_version_flag("--version", std::string("heliograph ") + version());
    OptionList options(m_app);
    m_window.addTo(options);
    for (const Command* command : commands())
        m_calls.push_back(addCommand(m_app, *command));
    m_app.footer(footer()); // A command would inherit it.
}

std::string CommandParser::usage() { return std::string(Usage[0]) + '\n' + Usage[1] + '\n'; }
std::string CommandParser::examples() { return Examples; }
std::string CommandParser::exitStatus() { return ExitStatus; }

} // namespace helio
