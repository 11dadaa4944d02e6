#include "app/cli/command_line.h"

#include "app/cli/commands/commands.h"
#include "app/cli/formats.h"
#include "app/cli/selection/open_experiment.h"
#include "app/version.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace helio {
namespace {

struct Command {
    const char* name;
    const char* what;
    int (*run)(const CommandOptions&);
};
constexpr std::array<Command, 11> Commands{{
    {"info", "Per trace: format, host, clock, events, lost events, streams, begin, end", runInfo},
    {"index", "Build the stores and exit; prints store paths and rates", runIndex},
    {"events", "Events in time order", runEvents},
    {"tracks", "The rows of a view", runTracks},
    {"states", "State intervals of every row", runStates},
    {"stats", "Per row and state: count, total, min, mean and max duration", runStats},
    {"links", "Arrows between rows", runLinks},
    {"compare", "Why a program took longer in B than in A: where its wall time went", runCompare},
    {"flame", "Where time goes: call stacks of samples added up, as a tree, a table or a flame graph", runFlame},
    {"annotate", "Source lines and instructions of a function with their share of its samples", runAnnotate},
    {"render", "A view as a picture (works with no display)", runRender},
}};

/// Named in the guide, not built yet: better said than opened as files.
constexpr std::array<const char*, 9> LaterCommands{"latency",  "critical-path", "sync",     "sql", "export",
                                                   "analyses", "views",         "counters", "vm"};

/// Qt's own options with a value, which the window passes on.
constexpr std::array<std::string_view, 8> QtOptions{"-platform", "-style",           "-stylesheet",         "-display",
                                                    "-geometry", "-qwindowgeometry", "-platformpluginpath", "-platformtheme"};

/// An option that takes one value, and may be there several times: what follows the value is not swallowed.
void addRepeated(CLI::App& app, const char* name, std::vector<std::string>& values, const char* value, const std::string& what)
{
    app.add_option(name, values, what + "; give it once for each")->allow_extra_args(false)->option_text(value);
}

void addReading(CLI::App& app, OptionTexts& texts)
{
    if (app.get_name() == "compare" || app.get_name() == "render") {
        app.add_option("--a", texts.tracesA, "What is compared: folders, files or archives, one experiment")->option_text("TRACE...");
        app.add_option("--b", texts.tracesB, "With what. Folded stacks with two counts are both A and B")->option_text("TRACE...");
    }
    if (app.get_name() != "compare") {
        app.add_option("TRACE", texts.traces, "Folders, files or archives; all are one experiment");
    }
    addRepeated(app, "--offset", texts.offsets, "TRACE=NS", "Add to a trace's times, in ns");
    app.add_flag("--no-sync", texts.noSync, "Raw times: no clock corrections");
    app.add_option("--jobs", texts.jobs, "Threads (0: as many as cores)")->type_name("N");
    app.add_option("--store-dir", texts.storeDirectory, "Where the stores are kept")->type_name("DIR");
    addRepeated(app, "--symbols", texts.symbols, "DIR", "A folder to look for programs and libraries in, too");
    app.add_option("--kallsyms", texts.kallsyms, "The recorded kernel's symbols (a copy of its /proc/kallsyms)")->type_name("FILE");
    app.add_option("--sysroot", texts.sysroot, "Where the recorded machine's files are")->type_name("DIR");
    app.add_flag("--debuginfod", texts.asksDebuginfod, "Ask the servers of DEBUGINFOD_URLS for symbols");
    app.add_flag("--quiet", texts.isQuiet, "No progress, no warnings");
}

/// What a command's filter is asked of.
const char* filterHelp(std::string_view command)
{
    if (command == "events")
        return "Only events that match, as: name == \"sched_switch\" && prev_tid != 0";
    if (command == "states" || command == "stats")
        return "Only intervals that match, as: state == \"preempted\" && duration > 1ms && tid == 12";
    if (command == "flame" || command == "annotate")
        return "Only samples that match, by time and by their threads' name, tid, pid and host, as: name == \"worker\" && time < +1s";
    if (command == "compare")
        return "With --all: only samples that match, by time and by their threads' name, tid, pid and host";
    return "Only rows that match, by name, tid, pid, cpu and host, as: name == \"worker\" && tid > 100";
}

void addSelection(CLI::App& app, OptionTexts& texts)
{
    app.add_option("--begin", texts.begin, "From this time on: ns since the epoch, HH:MM:SS.nnnnnnnnn or +1.5s from the start")
        ->type_name("T");
    app.add_option("--end", texts.end, "Before this time")->type_name("T");
    app.add_option("--row", texts.row, "Only rows whose id or label matches, as tid:12* or worker-?")->type_name("PATTERN");
    app.add_option("--filter", texts.filter, filterHelp(app.get_name()))->type_name("EXPR");
    app.add_option("--process", texts.process, "Only threads of processes that held this name")->type_name("NAME");
    app.add_option("--thread", texts.thread, "Only this thread")->type_name("TID");
    app.add_option("--cpu", texts.cpu, "Only this CPU")->type_name("N");
    app.add_option("--host", texts.host, "Only this host")->type_name("NAME");
    if (app.get_name() != "flame" && app.get_name() != "annotate" && app.get_name() != "compare")
        app.add_option("--view", texts.view,
                       app.get_name() == "render" ? "control-flow, resources, flame, or difference (of --a and --b)" : "control-flow or resources")
            ->type_name("V");
}

const char* const ByHelp = "What amounts count: samples, or period (of clocks and off-CPU samples that is time). Unless told: period, or samples where all periods are one";

/// How call stacks become a tree.
void addCallTree(CLI::App& app, OptionTexts& texts)
{
    app.add_option("--event", texts.event, "Samples of this event, as cpu-clock or off-cpu:blocked; off-cpu is all of those")->type_name("NAME");
    app.add_option("--by", texts.by, ByHelp)->type_name("W");
    app.add_flag("--inverted", texts.isInverted, "From the sampled functions to their callers");
    app.add_option("--callers", texts.callersOf, "Only what calls this function")->type_name("NAME");
    app.add_option("--callees", texts.calleesOf, "Only what this function calls")->type_name("NAME");
    app.add_option("--base", texts.base, "What stands below all functions: command, process, thread, cpu or none");
    app.add_option("--order", texts.order, "By weight, name or time");
    app.add_flag("--icicle", texts.isIcicle, "Flame graphs: roots on top");
    app.add_flag("--collapse-recursion", texts.collapsesRecursion, "A function that calls itself is one frame");
    addRepeated(app, "--hide", texts.hide, "PATTERN", "Leave out functions: their time goes to their callers");
    addRepeated(app, "--hide-module", texts.hideModule, "PATTERN", "The same for all of a module");
    addRepeated(app, "--focus", texts.focus, "PATTERN", "Only stacks with this function or module");
}

/// How the call stacks of two sides are compared.
void addDifference(CLI::App& app, OptionTexts& texts)
{
    app.add_flag("--all", texts.isOfAll, "All samples, not those of one program");
    app.add_option("--per", texts.per, "By process, share of all, samples as counted, or unit of work. By itself: process, or share where sides do not count alike")
        ->type_name("W");
    app.add_option("--units-a", texts.unitsA, "Units of work that A did: requests, frames")->type_name("N");
    app.add_option("--units-b", texts.unitsB, "The same of B")->type_name("N");
    app.add_option("--width", texts.width, "Differential flame graphs: as wide as b, a, or the widest of both")->type_name("W");
    app.add_flag("--elided", texts.keepsElided, "They keep frames that one side lacks, as outlines");
    app.add_flag("--inclusive", texts.ofTotals, "Their colours tell the change with callees, not a frame's own");
    app.add_flag("--ratio", texts.byRatio, "Their colours are steps of ratio");
}

void addCommand(CLI::App& app, const Command& command, OptionTexts& texts)
{
    CLI::App& sub = *app.add_subcommand(command.name, command.what);
    const std::string_view name = command.name;
    addReading(sub, texts);
    if (name != "index")
        addSelection(sub, texts);
    if (name == "flame" || name == "render")
        addCallTree(sub, texts);
    if (name == "flame") {
        sub.add_option("--title", texts.title, "svg: its title")->type_name("TEXT");
        sub.add_option("--width", texts.pixels, "svg: as wide as so many pixels")->type_name("N");
        sub.add_option("--colors", texts.colors, "svg: by module, code (kernel and user) or heat (time in itself)")->type_name("W");
        sub.add_flag("--table", texts.isTable, "A line a function, like perf report");
        sub.add_option("--group", texts.group, "A line of the table for each function, module, file, line, thread or process")
            ->type_name("W");
        addRepeated(sub, "--with", texts.with, "EVENT", "Columns of another event in the table, and its ratio to this one: --event cycles --with instructions");
    }
    if (name == "compare" || name == "render")
        addDifference(sub, texts);
    if (name == "flame" || name == "render" || name == "compare" || name == "annotate")
        sub.add_flag("--no-inline", texts.noInline, "Inlined functions are no frames: their time is that of what they were compiled into");
    if (name == "compare") {
        sub.add_flag("--functions", texts.isTable, "The functions of sampled call stacks, of one run on each side");
        sub.add_flag("--durations", texts.isOfDurations, "How long each stay in a state and each system call lasted, on each side");
        sub.add_option("--event", texts.event, "Samples of this event, as cpu-clock")->type_name("NAME");
        sub.add_option("--by", texts.by, "Folded stacks: samples or period")->type_name("W");
        sub.add_flag("--inverted", texts.isInverted, "svg: from the sampled functions to their callers");
        sub.add_flag("--icicle", texts.isIcicle, "svg: roots on top");
    }
    if (name == "annotate") {
        sub.add_option("--symbol", texts.symbol, "The function")->type_name("NAME");
        sub.add_option("--by", texts.by, ByHelp)->type_name("W");
        sub.add_option("--event", texts.event, "Samples of this event, as cpu-clock")->type_name("NAME");
        addRepeated(sub, "--source-dir", texts.sourceDirectories, "DIR", "A folder to look for sources in, too");
    }
    if (const auto formats = formatsOf(name, {}); !formats.empty()) {
        const char* const more = name == "compare" ? "; table, folded and svg are of call stacks" : "";
        sub.add_option("--format", texts.format, inWords(formats, "or") + more)->type_name("F");
        sub.add_flag("--json", texts.isJson, "The same as --format json");
    }
    if (name == "events") {
        sub.add_flag("--count", texts.count, "Only their number");
        sub.add_flag("--by-type", texts.byType, "Only how many there are of each type, on each host");
    }
    if (name == "states")
        sub.add_flag("--summary", texts.isSummary, "How many there are and how long they lasted, by state and row");
    if (name == "index")
        sub.add_flag("--force", texts.force, "Build them again");
    if (name == "render") {
        sub.add_option("-o,--output", texts.output, "The file to write: .png or .svg")->type_name("FILE");
        sub.add_option("--size", texts.size, "In pixels before scaling; by itself 1600 wide and as high as its rows")->type_name("WxH");
        sub.add_option("--theme", texts.theme, "dark or light");
        sub.add_option("--scale", texts.scale, "Pixels a point, as on a high-density screen")->type_name("N");
    }
}

const char* const Footer = R"(Examples:
  heliograph TRACE                                   open a window
  heliograph --compare SOLO -- PARALLEL              open a window that compares two
  heliograph info TRACE
  heliograph events TRACE --filter 'name == "sched_switch" && next_comm =~ "^worker"'
  heliograph states TRACE --view control-flow --thread 1234 --format csv
  heliograph compare --a SOLO --b PARALLEL --process solver
  heliograph flame perf.data --format svg > flame.svg
  heliograph render TRACE --view resources -o cpus.png
  heliograph render perf.data --view flame -o flame.png
  heliograph render --view difference --a SOLO --b PARALLEL -o difference.png
Exit status: 0 done, 1 the input could not be used, 2 wrong usage.)";

/// CLI11 would name what is opened in a window before the commands, which come first.
class WindowHelp final : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* app, std::string name) const override
    {
        return app->get_parent() ? CLI::Formatter::make_usage(app, std::move(name))
                                 : "Usage: heliograph [OPTIONS] [TRACE...]\n       heliograph COMMAND [OPTIONS] TRACE...\n";
    }
};

int usage(const std::string& what)
{
    complain(what);
    std::fputs("Try: heliograph --help\n", stderr);
    return ExitUsage;
}

int runCommand(const Command& command, OptionTexts texts)
{
    const std::string_view name = command.name;
    const bool isOfTwo = name == "compare" || (name == "render" && texts.view == "difference");
    if (isOfTwo && texts.tracesA.empty()) // Without B, A may hold both.
        return usage(std::string(name) + ": --a TRACE... or --b TRACE... is missing");
    if (!isOfTwo && texts.traces.empty())
        return usage(std::string(name) + ": a TRACE is missing");
    if ((name == "states" || name == "stats" || name == "links" || name == "render") && texts.view.empty())
        return usage(std::string(name) + ": --view is missing; there are control-flow and resources" + (name == "render" ? ", flame and difference" : ""));
    if (name == "annotate" && texts.symbol.empty())
        return usage("annotate: --symbol NAME is missing");
    if (name == "render" && texts.output.empty())
        return usage("render: -o FILE is missing");
    if (const auto done = checkFormat(name, texts); !done)
        return usage(done.error().what);
    const auto options = readOptions(texts);
    if (!options)
        return usage(options.error().what);
    try {
        return command.run(*options);
    } catch (const std::bad_alloc&) {
        complain("there is not enough memory for this");
        return ExitInput;
    }
}

bool isQtOption(std::string_view argument) { return std::find(QtOptions.begin(), QtOptions.end(), argument) != QtOptions.end(); }

/// The arguments, from the last to the first as CLI11 wants them, without Qt's own.
std::vector<std::string> ownArguments(int argc, char** argv)
{
    std::vector<std::string> own;
    for (int i = 1; i < argc; ++i) {
        if (isQtOption(argv[i]))
            ++i;
        else
            own.emplace_back(argv[i]);
    }
    std::reverse(own.begin(), own.end());
    return own;
}

/// Qt would abort without one.
bool hasDisplay(int argc, char** argv)
{
    const auto isSet = [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value;
    };
    const auto isPlatform = [](const char* argument) { return std::string_view(argument) == "-platform"; };
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM") || std::any_of(argv + 1, argv + argc, isPlatform);
}

/// The flags that may stand before a command, too: they are moved behind it.
std::vector<std::string> commandFirst(int argc, char** argv)
{
    constexpr std::array<std::string_view, 3> Flags{"--quiet", "--no-sync", "--debuginfod"};
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const auto isFlag = [&](const std::string& it) { return std::ranges::find(Flags, it) != Flags.end(); };
    const auto isCommand = [](const std::string& it) { return std::ranges::find(Commands, it, &Command::name) != Commands.end(); };
    if (const auto first = std::ranges::find_if_not(arguments, isFlag); first != arguments.end() && isCommand(*first))
        std::rotate(arguments.begin(), first, first + 1);
    return arguments;
}

std::optional<int> parseWindow(int argc, char** argv, OptionTexts& texts)
{
    CLI::App app("A timeline trace viewer for Linux performance work", "heliograph");
    app.footer(Footer);
    app.formatter(std::make_shared<WindowHelp>());
    app.set_version_flag("--version", std::string("heliograph ") + version());
    addReading(app, texts);
    app.add_option("--compare", texts.tracesA, "Compare: --compare A... -- B... opens both, one above the other")->option_text("TRACE...");
    OptionTexts unused; // Only for the list of commands in the help.
    for (const Command& command : Commands)
        addCommand(app, command, unused);
    try {
        app.parse(ownArguments(argc, argv));
    } catch (const CLI::ParseError& error) {
        return error.get_exit_code() == 0 ? app.exit(error) : usage(error.what());
    }
    if (!app.get_subcommands().empty())
        return usage("the command comes first: heliograph " + app.get_subcommands().front()->get_name() + " ...");
    if (!texts.tracesA.empty() && texts.traces.empty())
        return usage("--compare: what A is compared with is missing: --compare A... -- B...");
    return {};
}

} // namespace

std::optional<int> runCommandLine(int argc, char** argv)
{
    std::vector<std::string> arguments = commandFirst(argc, argv);
    const std::string first = arguments.empty() ? std::string() : arguments.front();
    OptionTexts texts;
    for (const Command& command : Commands) {
        if (first != command.name)
            continue;
        CLI::App app("", "heliograph");
        app.require_subcommand(1);
        addCommand(app, command, texts);
        try {
            std::ranges::reverse(arguments); // From the last to the first, as CLI11 wants them.
            app.parse(std::move(arguments));
        } catch (const CLI::ParseError& error) {
            return error.get_exit_code() == 0 ? app.exit(error) : usage(error.what());
        }
        return runCommand(command, texts);
    }
    if (std::find(LaterCommands.begin(), LaterCommands.end(), first) != LaterCommands.end())
        return usage("the command " + first + " is not in this version yet");
    if (const auto status = parseWindow(argc, argv, texts))
        return status;
    if (const auto options = readOptions(texts); !options)
        return usage(options.error().what);
    if (!hasDisplay(argc, argv)) {
        complain(
            "there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); heliograph --help lists the commands "
            "that need none");
        return ExitInput;
    }
    return {};
}

WindowArguments windowArguments(int argc, char** argv)
{
    OptionTexts texts;
    parseWindow(argc, argv, texts);
    const auto options = readOptions(texts);
    return options ? WindowArguments{options->traces, options->tracesA, options->experiment} : WindowArguments{};
}

} // namespace helio
