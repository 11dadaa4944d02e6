#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/fleet/child_runs.h"
#include "app/cli/fleet/fleet_options.h"
#include "app/cli/interrupts.h"
#include "app/cli/output/output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/sql/sql_prompt.h"
#include "core/fleet/catalogue.h"
#include "core/fleet/result_row.h"
#include "core/io/leftovers.h"
#include "core/sql/engine/database_file.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <optional>

namespace helio {
namespace {

namespace fs = std::filesystem;

/// Receives the rows of all traces.
class RowSink {
public:
    virtual ~RowSink() = default;

    /// Called once, before the first row. The first column is "trace".
    virtual Status begin(const std::vector<std::string>& columns) = 0;
    virtual Status row(const std::vector<sql::Value>& values) = 0;
    /// Called once at the end, after begin().
    virtual Status finish() = 0;
};

/// Prints the rows.
class PrintedRows final : public RowSink {
public:
    explicit PrintedRows(OutputFormat format)
        : m_format(format)
    {
    }

    Status begin(const std::vector<std::string>& columns) override
    {
        m_table = makeRowPrinter(m_output, m_format);
        m_table->columns(columns);
        return Done{};
    }
    Status row(const std::vector<sql::Value>& values) override
    {
        if (m_table->row(values))
            return Done{};
        return Error{Error::Kind::Unreadable, m_output.problem()};
    }
    Status finish() override
    {
        m_table.reset();
        m_output.flush();
        return m_output.hasFailed() ? Status(Error{Error::Kind::Unreadable, m_output.problem()}) : Done{};
    }

private:
    Output m_output;
    OutputFormat m_format;
    std::unique_ptr<sql::RowReceiver> m_table;
};

/// Writes the rows to the table `result` of a database file.
class StoredRows final : public RowSink {
public:
    StoredRows(fs::path path, std::stop_token stop)
        : m_path(std::move(path))
        , m_stop(std::move(stop))
    {
    }

    Status begin(const std::vector<std::string>& columns) override
    {
        auto file = sql::DatabaseFile::create(m_path, m_stop);
        if (!file)
            return file.error();
        m_file = std::move(*file);
        std::vector<sql::DatabaseFile::FileColumn> described;
        for (const std::string& name : columns)
            described.push_back({name, {}});
        return m_file->addTable("result", described);
    }
    Status row(const std::vector<sql::Value>& values) override { return m_file->addRow(values); }
    Status finish() override { return m_file->finish(); }

private:
    fs::path m_path;
    std::stop_token m_stop;
    std::unique_ptr<sql::DatabaseFile> m_file;
};

/// Returns the messages of a process as one line, without the name of the program and the path of the trace.
std::string messagesOf(const ChildRun& run, const std::string& path)
{
    std::string all;
    for (std::size_t at = 0; at < run.errors.size();) {
        const std::size_t end = std::min(run.errors.find('\n', at), run.errors.size());
        std::string line = run.errors.substr(at, end - at);
        for (const std::string& prefix : {std::string("heliograph: "), path + ": "})
            if (line.starts_with(prefix))
                line.erase(0, prefix.size());
        if (!line.empty() && !line.starts_with("Try: "))
            all += (all.empty() ? "" : "; ") + line;
        at = end + 1;
    }
    return all;
}

/// Runs the statements over all traces, and passes the rows to a sink.
class FleetRun {
public:
    FleetRun(const FleetOptions& options, std::vector<fleet::CataloguedTrace> traces, const fs::path& folder, RowSink& sink)
        : m_options(options)
        , m_traces(std::move(traces))
        , m_folder(folder)
        , m_sink(sink)
    {
    }

    /// Errors: Usage if the statements are wrong; those of the sink; Cancelled.
    Status run(const std::stop_token& stop)
    {
        std::ofstream(m_folder / "query.sql", std::ios::binary) << m_options.statements;
        ChildRunRequest request;
        request.count = m_traces.size();
        request.jobs = m_options.reading.experiment.jobs;
        request.argumentsOf = [this](std::size_t index) { return argumentsFor(m_traces[index].path); };
        request.folder = m_folder;
        request.stop = stop;
        runChildren(request, [this](std::size_t index, const ChildRun& run) { return take(m_traces[index].path, run); });
        if (!m_status)
            return m_status;
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "cancelled"};
        if (m_columns.empty())
            return Done{};
        return m_sink.finish();
    }

    std::size_t failed() const { return m_failed; } ///< Number of traces that could not be read completely.
    bool hasRows() const { return !m_columns.empty(); }

private:
    std::vector<std::string> argumentsFor(const std::string& path) const
    {
        std::vector<std::string> arguments{
            "sql", "--query-file", (m_folder / "query.sql").string(), "--format", "json", "--quiet", "--jobs", "1"};
        if (const fs::path& stores = m_options.reading.experiment.storeDirectory; !stores.empty())
            arguments.insert(arguments.end(), {"--store-dir", stores.string()});
        arguments.insert(arguments.end(), givenReadingOptions().begin(), givenReadingOptions().end());
        arguments.insert(arguments.end(), {"--", path}); // The path comes from another machine and may look like an option.
        return arguments;
    }

    /// Takes the result for a trace. Returns false after an error that ends the run.
    bool take(const std::string& path, const ChildRun& run)
    {
        const std::string messages = messagesOf(run, path);
        if (!run.problem.empty()) {
            fail(path, run.problem);
        } else if (run.status == ExitUsage) { // The statements or options are wrong, for this trace as for any other.
            m_status = Error{Error::Kind::Usage, messages};
        } else if (const Status read = readRows(path, run.output); !read) {
            if (m_isSinkBroken)
                m_status = read;
            else
                fail(path, read.error().what);
        } else if (run.status != ExitDone) {
            fail(path, messages.empty() ? fmt::format("the process ended with status {}", run.status) : messages);
        }
        return bool(m_status);
    }

    void fail(const std::string& path, const std::string& why)
    {
        warn(path + ": " + why);
        ++m_failed;
    }

    Status readRows(const std::string& path, const fs::path& output)
    {
        std::ifstream stream(output, std::ios::binary);
        std::vector<sql::Value> values;
        for (std::string line; std::getline(stream, line);) {
            const auto row = fleet::readRow(line);
            if (!row)
                return row.error();
            std::vector<std::string> columns{"trace"};
            values.assign(1, path);
            for (const auto& [name, value] : *row) {
                columns.push_back(name);
                values.push_back(value);
            }
            if (m_columns.empty()) {
                m_columns = columns;
                if (Status begun = m_sink.begin(m_columns); !begun)
                    return broken(begun);
            }
            if (columns != m_columns)
                return Error{Error::Kind::Corrupt, "its columns are not those of the other traces"};
            if (Status added = m_sink.row(values); !added)
                return broken(added);
        }
        return Done{};
    }
    Status broken(const Status& status)
    {
        m_isSinkBroken = true;
        return status;
    }

    const FleetOptions& m_options;
    std::vector<fleet::CataloguedTrace> m_traces;
    fs::path m_folder;
    RowSink& m_sink;
    std::vector<std::string> m_columns; ///< Columns of the rows, "trace" first; empty before the first row.
    Status m_status = Done{};
    bool m_isSinkBroken = false; ///< True if the sink failed, which ends the run.
    std::size_t m_failed = 0;
};

/// Runs the statements, and merges their rows if the user asked for that.
Status runAndPrint(const FleetOptions& options, sql::Database& catalogue, const std::stop_token& stop, std::size_t& failed)
{
    auto traces = fleet::readTraces(catalogue, options.condition);
    if (!traces)
        return traces.error().kind == Error::Kind::Usage && !options.condition.empty() ? makeUsageError("--where", traces.error().what)
                                                                                       : traces.error();
    if (traces->empty())
        return Error{Error::Kind::NotFound,
                     options.catalogue.string() + ": no readable traces" + (options.condition.empty() ? "" : " with " + options.condition)};
    std::error_code error;
    const TemporaryFolder folder(fs::temp_directory_path(error), "heliograph-fleet-");
    if (error || !folder.isMade())
        return Error{Error::Kind::Unreadable,
                     "cannot create a temporary folder: " + (error ? error.message() : std::string(std::strerror(errno)))};
    const bool isMerged = !options.merge.empty();
    const OutputFormat format =
        options.format.word.empty() && options.format.output == OutputFormat::Text ? OutputFormat::Csv : options.format.output;
    const fs::path stored = folder.path() / "result.db";
    std::unique_ptr<RowSink> sink;
    if (isMerged)
        sink = std::make_unique<StoredRows>(stored, stop);
    else
        sink = std::make_unique<PrintedRows>(format);
    FleetRun run(options, std::move(*traces), folder.path(), *sink);
    const Status done = run.run(stop);
    failed = run.failed();
    if (!done || !isMerged)
        return done;
    if (!run.hasRows()) {
        warn("no trace has rows, so there is nothing to merge");
        return Done{};
    }
    if (Status attached = catalogue.attach(stored, "results"); !attached)
        return attached;
    const Status merged = printResult(catalogue, options.merge, options.format.output, stop);
    return merged || merged.error().kind != Error::Kind::Usage ? merged : makeUsageError("--merge", merged.error().what);
}

} // namespace

int runOverFleet(const FleetOptions& options)
{
    const auto catalogue = fleet::openForQueries(options.catalogue);
    if (!catalogue)
        return failWith(catalogue.error());
    Interrupts interrupts(Interrupts::Kind::First);
    const StopAtInterrupt interrupted(interrupts);
    std::size_t failed = 0;
    if (const Status done = runAndPrint(options, **catalogue, interrupted.token(), failed); !done)
        return Interrupts::exitStatusOr(failWith(done.error()));
    if (failed > 0)
        warn(fmt::format("{} {} could not be read completely", failed, failed == 1 ? "trace" : "traces"));
    return failed > 0 ? ExitInput : ExitDone;
}

} // namespace helio
