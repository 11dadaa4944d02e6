#include "app/cli/serve/open_traces.h"

#include "app/cli/command_line.h"
#include "app/cli/command_parser.h"
#include "app/cli/output/picture.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/serve/command_output.h"
#include "app/cli/serve/response_writer.h"
#include "app/cli/serve/row_batches.h"
#include "core/base/json.h"
#include "core/io/partial_file.h"
#include "core/remote/remote_address.h"
#include "core/sql/open_database.h"

#include <QByteArray>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <utility>

namespace helio {
namespace {

/// Commands about traces that are no methods: the first two have methods of their own, and the others write files.
constexpr std::array<std::string_view, 6> OtherCommands{"sql", "render", "index", "export", "report", "fleet"};

/// Options by which methods choose what the command prints.
constexpr std::array<std::string_view, 3> OutputOptions{"--format", "--json", "--output"};

Error usage(const std::string& what) { return {Error::Kind::Usage, what}; }

bool hasOption(const CLI::App& app, const std::string& name) { return app.get_option_no_throw(name) != nullptr; }

/// Checks that options are not those for reading traces, which only `open` has.
Status checkNotReading(std::span<const std::string> names)
{
    CLI::App app;
    app.set_help_flag(); // Each command has the option --help.
    OptionList list(app);
    ReadingOptions reading;
    reading.addTo(list);
    for (const std::string& name : names)
        if (hasOption(app, name))
            return usage(name + ": only the method \"open\" has this option");
    return Done{};
}

/// Checks that a command line names no traces, and has no options for reading them.
Status checkArguments(const std::vector<std::string>& arguments)
{
    CLI::App app;
    const auto call = addCommand(app, *findCommand(arguments.front()));
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError&) {
        return Done{}; // The command itself says what is wrong.
    }
    std::vector<std::string> names;
    for (const CLI::Option* const option : app.get_subcommand(findCommand(arguments.front())->name)->get_options()) {
        if (option->count() > 0 && option->get_positional())
            return usage('"' + option->results().front() + "\": a command is about the traces of the method \"open\"");
        if (option->count() > 0)
            names.push_back(option->get_name());
    }
    return checkNotReading(names);
}

Status checkOptions(const ServeRequest& request)
{
    for (const std::string& name : request.optionNames)
        if (std::ranges::find(OutputOptions, name) != OutputOptions.end())
            return usage(name + ": the method decides that");
    return checkNotReading(request.optionNames);
}

/// Makes the application that pictures need, once for all of them.
void makeApplication() { static const OffscreenApplication application; }

} // namespace

bool OpenTraces::isTableCommand(std::string_view name)
{
    const Command* const command = findCommand(name);
    if (!command || std::ranges::find(OtherCommands, name) != OtherCommands.end())
        return false;
    CLI::App app;
    const auto call = addCommand(app, *command);
    const CLI::App& added = *app.get_subcommand(command->name);
    return hasOption(added, "TRACE") && hasOption(added, "--offset");
}

/// Parses the options for reading traces.
Status OpenTraces::readOptions(const ServeRequest& request)
{
    CLI::App app;
    OptionList list(app);
    m_reading.addTo(list);
    try {
        app.parse(std::vector<std::string>(request.options.rbegin(), request.options.rend()));
    } catch (const CLI::ParseError& error) {
        return usage(error.what());
    }
    return m_reading.read();
}

Status OpenTraces::open(std::int64_t number, const RequestQueue::Task& task, ResponseWriter& responses)
{
    const ServeRequest& request = task.request;
    if (request.paths.empty())
        return usage("the parameter \"paths\" is missing");
    for (const std::string& path : request.paths) // A path must not look like an option on the command lines of methods.
        m_paths.push_back(path.starts_with('-') ? "./" + path : path);
    m_readingOptions = request.options;
    CommandOutput output(task, responses, CommandOutput::Form::Kept, m_messages);
    {
        const OutputRedirection redirection(output);
        if (Status read = readOptions(request); !read)
            return read.error();
    }
    const int status = run(output, lineOf("info", {"--format=json"}));
    m_isOpen = !output.error() && !task.stop.stop_requested();
    output.finish(status, [&](JsonWriter& json) {
        json.member("trace", number);
        std::string info = output.text();
        std::ranges::replace(info, '\n', ' '); // Line ends stand only between values.
        json.key("info").written(info);
    });
    m_messages.insert(output.messages().begin(), output.messages().end());
    return Done{};
}

/// Returns the command line of a command about the traces.
std::vector<std::string> OpenTraces::lineOf(const std::string& command, const std::vector<std::string>& options) const
{
    std::vector<std::string> line{command};
    line.insert(line.end(), m_paths.begin(), m_paths.end());
    line.insert(line.end(), m_readingOptions.begin(), m_readingOptions.end());
    line.insert(line.end(), options.begin(), options.end());
    return line;
}

/// Runs a command with its output redirected to `output`. Returns the exit status.
int OpenTraces::run(CommandOutput& output, std::vector<std::string> line)
{
    const OutputRedirection redirection(output);
    const KeptExperiments::Use use(m_kept);
    try {
        const Command& command = *findCommand(line.front());
        return runCommand(command, std::move(line));
    } catch (const CommandCancelled&) {
        return ExitInput;
    }
}

Status OpenTraces::table(const RequestQueue::Task& task, ResponseWriter& responses)
{
    if (Status checked = checkOptions(task.request); !checked)
        return checked;
    CommandOutput output(task, responses, CommandOutput::Form::Rows, m_messages);
    std::vector<std::string> options = task.request.options;
    options.emplace_back("--format=json");
    output.finish(run(output, lineOf(task.request.method, options)));
    return Done{};
}

Status OpenTraces::command(const RequestQueue::Task& task, ResponseWriter& responses)
{
    const std::vector<std::string>& arguments = task.request.arguments;
    if (arguments.empty() || !isTableCommand(arguments.front()))
        return usage("\"arguments\" must begin with the name of a command that prints something about traces");
    if (Status checked = checkArguments(arguments); !checked)
        return checked;
    CommandOutput output(task, responses, CommandOutput::Form::Text, m_messages);
    output.finish(run(output, lineOf(arguments.front(), {arguments.begin() + 1, arguments.end()})));
    return Done{};
}

Status OpenTraces::render(const RequestQueue::Task& task, ResponseWriter& responses)
{
    if (Status checked = checkOptions(task.request); !checked)
        return checked;
    const std::string format = task.request.format.empty() ? "png" : task.request.format;
    if (format != "png" && format != "svg")
        return usage("\"format\" must be \"png\" or \"svg\"");
    makeApplication();
    CommandOutput output(task, responses, CommandOutput::Form::Kept, m_messages);
    std::vector<std::string> options = task.request.options;
    options.push_back("--output=picture." + format);
    const int status = run(output, lineOf("render", options));
    output.finish(status, [&](JsonWriter& json) {
        const std::string& picture = output.picture();
        if (format == "svg")
            json.member("svg", picture);
        else
            json.member("png", QByteArray::fromRawData(picture.data(), qsizetype(picture.size())).toBase64().toStdString());
    });
    return Done{};
}

Status OpenTraces::index(const RequestQueue::Task& task, ResponseWriter& responses)
{
    CommandOutput output(task, responses, CommandOutput::Form::Kept, m_messages);
    if (!m_index) {
        const OutputRedirection redirection(output);
        const KeptExperiments::Use use(m_kept);
        const auto opened = openExperiment({m_paths.begin(), m_paths.end()}, m_reading);
        if (!opened)
            return opened.error();
        auto files = IndexFiles::open(*opened->experiment);
        if (!files)
            return files.error();
        m_index = std::move(*files);
    }
    output.finish(ExitDone, [&](JsonWriter& json) { m_index->describe(json); });
    return Done{};
}

Status OpenTraces::read(const RequestQueue::Task& task, ResponseWriter& responses)
{
    if (!m_index || !task.request.file)
        return usage(m_index ? "the parameter \"file\" is missing" : "the method \"index\" must come first");
    const auto data = m_index->read(*task.request.file, task.request.offset, task.request.fileBytes);
    if (!data)
        return data.error();
    CommandOutput output(task, responses, CommandOutput::Form::Kept, m_messages);
    output.finish(ExitDone, [&](JsonWriter& json) { json.member("data", *data); });
    return Done{};
}

/// Makes the database over the traces, unless it exists.
Status OpenTraces::makeDatabase(CommandOutput& output)
{
    if (m_database)
        return Done{};
    const OutputRedirection redirection(output);
    const KeptExperiments::Use use(m_kept);
    const auto opened = openExperiment({m_paths.begin(), m_paths.end()}, m_reading);
    if (!opened)
        return opened.error();
    auto made = sql::openDatabase(opened->timeline);
    if (!made)
        return made.error();
    m_database = std::move(*made);
    return Done{};
}

Status OpenTraces::sql(const RequestQueue::Task& task, ResponseWriter& responses)
{
    if (!task.request.sql)
        return usage("the parameter \"sql\" is missing");
    CommandOutput output(task, responses, CommandOutput::Form::Kept, m_messages);
    if (Status made = makeDatabase(output); !made)
        return made;
    RowBatches rows(task.request.id, responses);
    sql::RunLimits limits;
    limits.stop = task.stop;
    const std::uint64_t missedBefore = PartialFile::missedCount();
    if (Status done = m_database->run(*task.request.sql, rows, limits); !done)
        return done;
    rows.finish();
    if (PartialFile::missedCount() != missedBefore)
        return Error{Error::Kind::Unreadable, "the connection to another machine was lost, so the rows are incomplete"};
    output.finish(ExitDone, [&](JsonWriter& json) { json.member("rows", rows.count()); });
    return Done{};
}

Status OpenTraces::query(const RequestQueue::Task& task, ResponseWriter& responses)
{
    const ServeRequest& request = task.request;
    if (request.paths.empty())
        return usage("the parameter \"paths\" is missing");
    if (!request.sql)
        return usage("the parameter \"sql\" is missing");
    if (std::ranges::any_of(request.paths, isRemote)) // A catalogue comes from anywhere, and must not choose hosts to connect to.
        return usage("the method \"query\" is about traces on this machine");
    OpenTraces traces;
    CommandOutput output(task, responses, CommandOutput::Form::Rows, traces.m_messages);
    {
        const OutputRedirection redirection(output);
        if (Status read = traces.readOptions(request); !read)
            return read.error();
    }
    std::vector<std::string> line{"sql"};
    line.insert(line.end(), request.options.begin(), request.options.end());
    line.insert(line.end(), {"--format=json", "--"}); // Paths and statements may look like options.
    line.insert(line.end(), request.paths.begin(), request.paths.end());
    line.push_back(*request.sql);
    output.finish(traces.run(output, std::move(line)));
    return Done{};
}

} // namespace helio
