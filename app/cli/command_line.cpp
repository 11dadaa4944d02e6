#include "app/cli/command_line.h"

#include "app/cli/command_parser.h"
#include "app/cli/output/output.h"
#include "app/cli/output/redirection.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/suggestion.h"
#include "core/io/partial_file.h"
#include "core/store/assembly/file_store.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string_view>

namespace helio {
namespace {

/// Options of the window that Qt parses itself. Each of these options takes the next argument as its value.
constexpr std::array<std::string_view, 8> QtOptions{"-platform", "-style",           "-stylesheet",         "-display",
                                                    "-geometry", "-qwindowgeometry", "-platformpluginpath", "-platformtheme"};

/// Prints an error message and a reference to the help of `command` (empty: of the program). Returns the exit status for wrong usage.
int usage(const std::string& what, const std::string& command = {})
{
    failWith({Error::Kind::Usage, what});
    if (!outputReceiver())
        std::fprintf(stderr, "Try: heliograph %s--help\n", command.empty() ? "" : (command + ' ').c_str());
    return ExitUsage;
}

/// Returns the message for a parse error of `app`. For an unknown option, names the option and suggests a similar option of `command`.
std::string describe(const CLI::ParseError& error, const CLI::App& app, const CLI::App& command)
{
    if (error.get_exit_code() != int(CLI::ExitCodes::ExtrasError))
        return error.what();
    const std::vector<std::string> unexpected = app.remaining(true);
    const auto isOption = [](const std::string& argument) { return argument.size() > 1 && argument.starts_with('-'); };
    const auto option = std::ranges::find_if(unexpected, isOption);
    if (option == unexpected.end())
        return error.what();
    const std::string name = option->substr(0, option->find('='));
    std::vector<std::string> known;
    for (const CLI::Option* const each : command.get_options())
        for (const std::string& longName : each->get_lnames())
            if (!each->get_group().empty())
                known.push_back("--" + longName);
    return "unknown option " + name + didYouMean(name, known);
}

int runCommand(const Command& command, CommandCall& call)
{
    if (const std::string what = call.missing(); !what.empty())
        return usage(std::string(command.name) + ": " + what, command.name);
    if (const auto done = call.read(); !done)
        return usage(done.error().what, command.name);
    try {
        const std::uint64_t damagedBefore = damagedStoreCount();
        const std::uint64_t missedBefore = PartialFile::missedCount();
        const int status = call.run();
        if (PartialFile::missedCount() != missedBefore)
            return failWith({Error::Kind::Unreadable,
                             "The connection to another machine was lost, so the output is incomplete. Run the command again"});
        if (damagedStoreCount() == damagedBefore)
            return status;
        return failWith(
            {Error::Kind::Corrupt, "The index was damaged, so the output is incomplete. It was removed; run the command again"});
    } catch (const std::bad_alloc&) {
        return failWith({Error::Kind::Full, "not enough memory"});
    } catch (const std::exception& error) {
        return failWith({Error::Kind::Unreadable, std::string(command.name) + ": " + error.what()});
    }
}

/// Prints the help that the user asked for. Returns the exit status.
int printHelp(const CLI::App& app, const CLI::ParseError& request)
{
    std::ostringstream text;
    const int status = app.exit(request, text, text);
    Output().write(text.str());
    return status;
}

bool isQtOption(std::string_view argument) { return std::find(QtOptions.begin(), QtOptions.end(), argument) != QtOptions.end(); }

/// Returns the arguments without options of Qt, in reverse order as CLI11 expects them.
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

/// True if a display for a window is available. Checked because Qt aborts without a display.
bool hasDisplay(int argc, char** argv)
{
    const auto isPlatform = [](const char* argument) { return std::string_view(argument) == "-platform"; };
    return hasDisplayVariable() || std::any_of(argv + 1, argv + argc, isPlatform);
}

/// Returns the arguments with the command first: options that precede the command are moved to the position after the command.
std::vector<std::string> commandFirst(int argc, char** argv)
{
    constexpr std::array<std::string_view, 3> Flags{"--quiet", "--no-sync", "--debuginfod"};
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const auto isFlag = [&](const std::string& it) { return std::ranges::find(Flags, it) != Flags.end(); };
    if (const auto first = std::ranges::find_if_not(arguments, isFlag); first != arguments.end() && findCommand(*first))
        std::rotate(arguments.begin(), first, first + 1);
    return arguments;
}

std::optional<int> parseWindow(int argc, char** argv, CommandParser& parser)
{
    CLI::App& app = parser.app();
    try {
        app.parse(ownArguments(argc, argv));
    } catch (const CLI::ParseError& error) {
        return error.get_exit_code() == 0 ? printHelp(app, error) : usage(describe(error, app, app));
    }
    if (!app.get_subcommands().empty())
        return usage("the command comes first: heliograph " + app.get_subcommands().front()->get_name() + " ...");
    if (!parser.window().compared.empty() && parser.window().traces.empty())
        return usage("--compare: side B is missing: --compare A... -- B...");
    if (const Status read = parser.window().position.read(); !read)
        return usage(read.error().what);
    if (parser.window().position.isEmpty())
        return {};
    if (parser.window().traces.empty())
        return usage("--at, --row and the like: a TRACE is missing");
    if (!parser.window().compared.empty())
        return usage("--at, --row and the like: not valid with --compare");
    return {};
}

/// Returns "; did you mean X?" if the first trace does not exist and its name resembles a command; else empty.
std::string suggestCommand(const std::vector<std::filesystem::path>& traces)
{
    std::error_code ignored;
    if (traces.empty() || std::filesystem::exists(traces.front(), ignored))
        return {};
    std::vector<std::string> names;
    for (const Command* const command : commands())
        names.emplace_back(command->name);
    return didYouMean(traces.front().string(), names);
}

/// The command that runCommandLine() runs.
struct GivenCommand {
    std::vector<std::string> arguments;
    std::vector<GivenOption> readingOptions;
};

GivenCommand& givenCommand()
{
    static GivenCommand given;
    return given;
}

/// Returns the options of a parsed command that concern the meaning of its traces.
std::vector<GivenOption> readingOptionsOf(const CLI::App& command)
{
    constexpr std::array<std::string_view, 4> Groups{"Input", "Clocks", "Symbols", "Analyses"};
    std::vector<GivenOption> given;
    for (const CLI::Option* const option : command.get_options()) {
        if (option->count() == 0 || option->get_positional() || std::ranges::find(Groups, option->get_group()) == Groups.end())
            continue;
        if (option->get_expected_min() == 0) { // A flag.
            given.push_back({option->get_name(), {}});
            continue;
        }
        for (const std::string& value : option->results())
            given.push_back({option->get_name(), value});
    }
    return given;
}

} // namespace

bool hasDisplayVariable()
{
    const auto isSet = [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value;
    };
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM");
}

const std::vector<std::string>& givenArguments() { return givenCommand().arguments; }
const std::vector<GivenOption>& givenReadingOptions() { return givenCommand().readingOptions; }

int runCaptured(const std::vector<std::string>& words)
{
    const Command* const command = words.empty() ? nullptr : findCommand(words.front());
    if (!command)
        return usage(words.empty() ? "the command is empty" : "there is no command \"" + words.front() + '"');
    return runCommand(*command, words);
}

bool hasOption(std::string_view command, const std::string& option)
{
    const Command* const found = findCommand(command);
    CLI::App app;
    const auto call = found ? addCommand(app, *found) : nullptr;
    return call && app.get_subcommand(found->name)->get_option_no_throw(option);
}

const std::vector<const Command*>& commands()
{
    static const std::vector<const Command*> sorted = [] {
        const auto found = builtinCommands();
        std::vector<const Command*> all(found.begin(), found.end());
        std::ranges::sort(all, {}, &Command::order);
        return all;
    }();
    return sorted;
}

const Command* findCommand(std::string_view name)
{
    const auto found = std::ranges::find_if(commands(), [&](const Command* command) { return name == command->name; });
    return found != commands().end() ? *found : nullptr;
}

int runCommand(const Command& command, std::vector<std::string> arguments)
{
    CLI::App app("", "heliograph");
    setHelpStyle(app);
    app.require_subcommand(1);
    const auto call = addCommand(app, command);
    CLI::Option* const remainder = app.get_subcommand(command.name)->get_option_no_throw(RemainderName);
    std::vector<std::string> remaining;
    if (const auto dashes = std::ranges::find(arguments, "--"); remainder && dashes != arguments.end()) {
        remaining.assign(dashes + 1, arguments.end());
        arguments.erase(dashes, arguments.end());
    }
    try {
        std::ranges::reverse(arguments); // CLI11 expects the arguments in reverse order.
        app.parse(std::move(arguments));
        if (!remaining.empty()) {
            remainder->add_result(std::move(remaining));
            remainder->run_callback();
        }
    } catch (const CLI::ParseError& error) {
        return error.get_exit_code() == 0 ? printHelp(app, error)
                                          : usage(describe(error, app, *app.get_subcommand(command.name)), command.name);
    }
    if (!outputReceiver())
        givenCommand().readingOptions = readingOptionsOf(*app.get_subcommand(command.name));
    return runCommand(command, *call);
}

std::optional<int> runCommandLine(int argc, char** argv)
{
    std::vector<std::string> arguments = commandFirst(argc, argv);
    const std::string first = arguments.empty() ? std::string() : arguments.front();
    if (const Command* command = findCommand(first)) {
        givenCommand().arguments = arguments;
        return runCommand(*command, std::move(arguments));
    }
    CommandParser parser;
    if (const auto status = parseWindow(argc, argv, parser))
        return status;
    if (const auto done = parser.window().reading.read(); !done)
        return usage(done.error().what);
    if (const std::string suggestion = suggestCommand(parser.window().traces); !suggestion.empty())
        return usage("there is no trace or command \"" + first + '"' + suggestion);
    if (!hasDisplay(argc, argv)) {
        warn("cannot open a window: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); heliograph "
             "--help lists the commands that need none");
        return ExitInput;
    }
    return {};
}

WindowArguments windowArguments(int argc, char** argv)
{
    CommandParser parser;
    parseWindow(argc, argv, parser);
    WindowOptions& window = parser.window();
    if (!window.reading.read())
        return {};
    return {window.traces, window.compared, window.reading.experiment, window.reading.analysisFiles, window.position};
}

std::vector<char*> qtArguments(int argc, char** argv)
{
    std::vector<char*> all(argv, argv + std::min(argc, 1));
    for (int i = 1; i < argc; ++i)
        if (isQtOption(argv[i])) {
            all.push_back(argv[i]);
            if (++i < argc)
                all.push_back(argv[i]);
        }
    return all;
}

} // namespace helio
