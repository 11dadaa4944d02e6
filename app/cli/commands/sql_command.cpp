#include "app/cli/command.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "core/query/rows/facts.h"
#include "core/sql/open_database.h"

#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <unistd.h>

namespace helio {
namespace {

struct SqlOptions {
    std::vector<std::filesystem::path> arguments;
    ReadingOptions reading;
    FormatOptions format{"sql"};
    std::filesystem::path queryFile; ///< File with the statements; empty if the last argument contains them.
    bool isInteractive = false; ///< True to read statements from standard input, one after the other.

    std::vector<std::filesystem::path> traces;
    std::string statements;

    void addTo(OptionList& options)
    {
        addTraces(options, arguments);
        reading.addTo(options);
        options.value("--query-file", queryFile, "FILE", "Read the statements from FILE instead of the last argument");
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

Cell cellOf(const sql::Value& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return Cell::integer(*integer);
    if (const auto* real = std::get_if<double>(&value))
        return Cell::real(*real, fmt::format("{}", *real));
    if (const auto* text = std::get_if<std::string>(&value))
        return Cell(*text);
    return {};
}

/// Prints the rows of a query as a table.
class RowPrinter final : public sql::RowReceiver {
public:
    RowPrinter(Output& output, OutputFormat format)
        : m_output(output)
        , m_format(format)
    {
    }

    void columns(std::span<const std::string> names) override
    {
        m_table.emplace(m_output, m_format, std::vector<std::string>(names.begin(), names.end()), TimeStyle());
    }
    bool row(std::span<const sql::Value> values) override
    {
        std::vector<Cell> cells;
        for (const sql::Value& value : values)
            cells.push_back(cellOf(value));
        if (m_table)
            m_table->row(cells);
        return !m_output.hasFailed();
    }

private:
    Output& m_output;
    OutputFormat m_format;
    std::optional<TableWriter> m_table;
};

/// Runs statements and prints the rows of the last one.
Status runStatements(sql::Database& database, std::string_view statements, OutputFormat format)
{
    Output output;
    Status done = Done{};
    {
        RowPrinter printer(output, format);
        done = database.run(statements, printer);
    }
    output.flush();
    if (done && output.hasFailed())
        return Error{Error::Kind::Unreadable, output.problem()};
    return done;
}

constexpr const char* PromptHelp = R"(Statements end with a semicolon and may have several lines.
.tables           List the tables and views
.schema NAME      Print the columns of a table or view
.functions        List the functions
.explain SELECT   Print how a query is executed
.help             Print this help
.quit             End
)";

/// Lists scalar and table-valued functions: the modules that are neither those of tables nor SQLite's own, except json_each and json_tree.
constexpr const char* FunctionNames = R"(SELECT name FROM pragma_function_list
UNION SELECT name FROM pragma_module_list
WHERE NOT regexp('^(heliograph_|pragma_|span_|fts|rtree|geopoly|sqlite_|bytecode|tables_used|dbstat|dbpage)', name)
ORDER BY name)";

/// Returns the statement that a command of the prompt stands for; empty if the line is no such command.
std::string statementOf(std::string_view command)
{
    const std::size_t space = command.find(' ');
    const std::string_view name = command.substr(0, space);
    const std::string rest(space == std::string_view::npos ? "" : command.substr(space + 1));
    if (name == ".tables")
        return "SELECT name, type FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
    if (name == ".schema")
        return "SELECT name, type FROM pragma_table_xinfo(" + sql::quoted(rest) + ")";
    if (name == ".functions")
        return FunctionNames;
    return name == ".explain" ? "EXPLAIN QUERY PLAN " + rest : std::string();
}

/// Reads statements from standard input until its end and runs each of them. Errors are printed and end nothing.
int runPrompt(sql::Database& database, OutputFormat format)
{
    const bool isTerminal = isatty(STDIN_FILENO) == 1;
    std::string statement;
    std::string line;
    const auto prompt = [&] {
        if (isTerminal)
            std::cout << (statement.empty() ? "sql> " : "...> ") << std::flush;
    };
    for (prompt(); std::getline(std::cin, line); prompt()) {
        if (statement.empty() && line.starts_with('.')) {
            if (line == ".quit" || line == ".exit")
                break;
            const std::string meant = statementOf(line);
            if (meant.empty()) {
                std::cout << PromptHelp;
                continue;
            }
            if (const Status done = runStatements(database, meant, format); !done)
                warn(done.error().what);
            continue;
        }
        (statement += line) += '\n';
        if (!sql::Database::isComplete(statement))
            continue;
        if (const Status done = runStatements(database, statement, format); !done)
            warn(done.error().what);
        statement.clear();
    }
    if (statement.find_first_not_of(" \t\r\n") != std::string::npos)
        if (const Status done = runStatements(database, statement, format); !done)
            warn(done.error().what);
    if (isTerminal)
        std::cout << '\n';
    return ExitDone;
}

int run(const SqlOptions& options)
{
    const auto statements = readStatements(options);
    if (!statements)
        return failWith(statements.error());
    const auto opened = openExperiment(options.traces, options.reading);
    if (!opened)
        return failWith(opened.error());
    const auto database = sql::openDatabase(opened->timeline);
    if (!database)
        return failWith(database.error());
    if (options.isInteractive)
        return runPrompt(**database, options.format.output);
    if (const Status done = runStatements(**database, *statements, options.format.output); !done)
        return failWith(done.error());
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
are printed. Most tables have the names and columns of Perfetto's trace processor. At the
prompt (--interactive), .tables lists all tables.
)"};

} // namespace helio
