#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/fleet/fleet_options.h"
#include "app/cli/fleet/query_run.h"
#include "app/cli/interrupts.h"
#include "app/cli/output/output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/sql/sql_prompt.h"
#include "core/fleet/catalogue.h"
#include "core/io/leftovers.h"
#include "core/sql/engine/database_file.h"

#include <cerrno>
#include <cstring>
#include <memory>

namespace helio {
namespace {

namespace fs = std::filesystem;

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

/// Runs the statements, and merges their rows if the user asked for that.
Status runAndPrint(const FleetOptions& options, sql::Database& catalogue, const std::stop_token& stop, std::size_t& failed)
{
    const auto traces = readSelectedTraces(options, catalogue);
    if (!traces)
        return traces.error();
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
    const auto run = runQuery(options, *traces, folder.path(), *sink, stop);
    if (!run)
        return run.error();
    failed = run->failed;
    if (!isMerged)
        return Done{};
    if (!run->hasColumns) {
        warn("no trace gave a result, so there is nothing to merge");
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
    return exitStatusFor(failed);
}

} // namespace helio
