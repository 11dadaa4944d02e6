#include "app/cli/command.h"
#include "app/cli/output/output.h"
#include "app/cli/output/redirection.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/sql/missing_samples.h"
#include "app/cli/sql/sql_prompt.h"
#include "core/sql/open_database.h"

#include <fstream>
#include <iterator>

namespace helio {
namespace {

struct SqlOptions {
    std::vector<std::filesystem::path> arguments;
    ReadingOptions reading;
    FormatOptions format{"sql"};
    std::vector<std::filesystem::path> moduleFolders;
    std::filesystem::path queryFile; ///< File with the statements; empty if the last argument contains them.
    bool isInteractive = false; ///< True to read statements from standard input, one after the other.

    std::vector<std::filesystem::path> traces;
    std::string statements;

    void addTo(OptionList& options)
    {
        addTraces(options, arguments);
        reading.addTo(options);
        options.value("--query-file", queryFile, "FILE", "Read the statements from FILE instead of the last argument");
        options.repeated("--add-sql-module", moduleFolders, "DIR", "Find SQL modules in DIR: a.b is DIR/a/b.sql (can be repeated)");
        options.flag("--interactive", isInteractive, "Read statements at a prompt; .help lists its commands");
        format.addTo(options);
    }
    bool takesStatement() const { return queryFile.empty() && !isInteractive; }
    std::string missing() const
    {
        if (arguments.size() < (takesStatement() ? 2 : 1))
            return arguments.empty() ? "a TRACE is missing" : "a statement is missing: heliograph sql TRACE 'SELECT ...'";
        return {};
    }
    Status read()
    {
        if (isInteractive && !queryFile.empty())
            return makeUsageError("--interactive", "not valid with --query-file");
        traces = arguments;
        if (takesStatement() && !traces.empty()) {
            statements = traces.back().string();
            traces.pop_back();
        }
        return runInOrder([&] { return format.check(); }, [&] { return reading.read(); }, [&] { return format.read(); });
    }
};

/// Returns the statements to run: the last argument, or the content of the file.
Result<std::string> readStatements(const SqlOptions& options)
{
    if (options.queryFile.empty())
        return options.statements;
    std::ifstream file(options.queryFile, std::ios::binary);
    if (!file)
        return makeUsageError("--query-file", "cannot read " + options.queryFile.string());
    return std::string(std::istreambuf_iterator<char>(file), {});
}

int run(const SqlOptions& options)
{
    const auto statements = readStatements(options);
    if (!statements)
        return failWith(statements.error());
    sql::ModuleLibrary modules;
    for (const std::filesystem::path& folder : options.moduleFolders)
        if (const Status added = modules.addFolder(folder); !added)
            return failWith(makeUsageError("--add-sql-module", added.error().what));
    const auto opened = openExperiment(options.traces, options.reading);
    if (!opened)
        return failWith(opened.error());
    const auto database = sql::openDatabase(opened->timeline);
    if (!database)
        return failWith(database.error());
    (*database)->setModules(std::move(modules));
    bool isTold = options.reading.isQuiet;
    const auto tellMissing = [&](std::string_view statement) {
        const std::string missing =
            isTold ? std::string() : describeMissingSamples(**database, *opened->timeline, statement, commandStop());
        if (!missing.empty())
            warn(missing);
        isTold |= !missing.empty(); // Once at a prompt.
    };
    if (options.isInteractive)
        return runSqlPrompt(**database, options.format.output, tellMissing);
    if (const Status done = printResult(**database, *statements, options.format.output, commandStop()); !done)
        return failWith(done.error());
    tellMissing(*statements);
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command sqlCommand;
const Command sqlCommand{85,
                         "sql",
                         "Query the recording in SQL",
                         callOf<SqlOptions, run>,
                         R"(heliograph sql TRACE 'SELECT state, sum(dur) FROM thread_state GROUP BY state'
heliograph sql TRACE --query-file slow.sql --format csv
)",
                         R"(The last argument is the statement, or several with semicolons; the rows of the last one
are printed. Most tables have the names and columns of Perfetto's trace processor, and its
dialect is understood, with CREATE PERFETTO FUNCTION, macros and INCLUDE PERFETTO MODULE. At
the prompt (--interactive), .tables lists all tables, and Tab completes names.
)"};

} // namespace helio
