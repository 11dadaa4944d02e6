#include "app/cli/sql/sql_prompt.h"

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/output/output.h"
#include "app/cli/prompt/line_editor.h"
#include "app/cli/sql/prompt_completion.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace helio {
namespace {

constexpr const char* PromptHelp = R"(Statements end with a semicolon and may have several lines.
.tables           List the tables and views
.schema NAME      Print the columns of a table or view
.functions        List the functions
.modules          List the modules for INCLUDE PERFETTO MODULE
.explain SELECT   Print how a query is executed
.timer on|off     Print the time that each statement takes
.help             Print this help
.quit             End
)";

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

/// Returns the file with the statements of earlier prompts: $XDG_STATE_HOME/heliograph/sql_history; empty without a home folder.
std::filesystem::path historyFile()
{
    const std::filesystem::path name = std::filesystem::path("heliograph") / "sql_history";
    if (const char* state = std::getenv("XDG_STATE_HOME"); state && state[0] == '/')
        return state / name;
    const char* home = std::getenv("HOME");
    return home && home[0] == '/' ? home / std::filesystem::path(".local/state") / name : std::filesystem::path();
}

/// Returns a statement as one line of the history. Without line ends, a comment would hide what follows it, so that it stays as it is.
std::string historyEntry(std::string statement)
{
    while (statement.ends_with('\n'))
        statement.pop_back();
    if (statement.find("--") == std::string::npos)
        for (char& c : statement)
            c = c == '\n' ? ' ' : c;
    return statement;
}

/// Reads lines from standard input: from a terminal with editing, from elsewhere as they come.
class StatementInput {
public:
    explicit StatementInput(sql::Database& database)
        : m_completion(database)
    {
        if (isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1) {
            m_interrupts = std::make_unique<Interrupts>(Interrupts::Kind::Each);
            m_editor = std::make_unique<LineEditor>(
                historyFile(), [this](std::string_view line) { return m_completion.complete(m_statement, line); }, *m_interrupts);
        }
    }

    Interrupts* interrupts() const { return m_interrupts.get(); } ///< nullptr unless the input is a terminal.
    void forgetSchema() { m_completion.forgetSchema(); }
    void addToHistory(const std::string& entry)
    {
        if (m_editor)
            m_editor->addToHistory(entry);
    }

    /// Reads the next line. `statement` are the lines of the statement so far. Returns false at the end of the input.
    LineEditor::End next(const std::string& statement, std::string& line)
    {
        if (!m_editor)
            return std::getline(std::cin, line) ? LineEditor::End::Line : LineEditor::End::EndOfInput;
        m_statement = statement;
        return m_editor->read(statement.empty() ? "sql> " : "...> ", line);
    }

private:
    PromptCompletion m_completion;
    std::string m_statement; ///< Lines of the statement before the one that is edited.
    std::unique_ptr<Interrupts> m_interrupts;
    std::unique_ptr<LineEditor> m_editor;
};

class SqlPrompt {
public:
    SqlPrompt(sql::Database& database, OutputFormat format, std::function<void(std::string_view)> afterStatement)
        : m_database(database)
        , m_format(format)
        , m_afterStatement(std::move(afterStatement))
        , m_input(database)
    {
    }

    void run();
    bool hasFailed() const { return m_hasFailed; } ///< True if a statement failed.
    bool isAtTerminal() const { return m_input.interrupts() != nullptr; }

private:
    bool runCommand(const std::string& line);
    void runStatement(const std::string& statement);
    std::string statementOf(std::string_view name, const std::string& rest) const;

    sql::Database& m_database;
    OutputFormat m_format;
    std::function<void(std::string_view statement)> m_afterStatement;
    StatementInput m_input;
    bool m_showsTime = false;
    bool m_hasFailed = false;
};

void SqlPrompt::run()
{
    std::string statement;
    std::string line;
    for (;;) {
        const LineEditor::End end = m_input.next(statement, line);
        if (end == LineEditor::End::EndOfInput)
            break;
        if (end == LineEditor::End::Interrupt) {
            statement.clear();
            continue;
        }
        if (statement.empty() && line.starts_with('.')) {
            m_input.addToHistory(line);
            if (!runCommand(line))
                return;
            continue;
        }
        if (statement.empty() && line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        (statement += line) += '\n';
        if (!sql::Database::isComplete(statement))
            continue;
        m_input.addToHistory(historyEntry(statement));
        runStatement(statement);
        statement.clear();
    }
    if (statement.find_first_not_of(" \t\r\n") != std::string::npos)
        runStatement(statement);
    if (m_input.interrupts())
        std::cout << '\n';
}

/// Returns the statement that a command stands for; empty if there is none.
std::string SqlPrompt::statementOf(std::string_view name, const std::string& rest) const
{
    if (name == ".tables")
        return "SELECT name, type FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
    if (name == ".schema")
        return "SELECT name, type FROM pragma_table_xinfo(" + sql::quoted(rest) + ")";
    if (name == ".functions")
        return std::string(sql::FunctionNames);
    if (name == ".modules") {
        std::string values;
        for (const std::string& module : m_database.modules().find("*"))
            values += (values.empty() ? "(" : ", (") + sql::quoted(module) + ")";
        return "SELECT column1 AS module FROM (VALUES " + values + ")";
    }
    return name == ".explain" ? "EXPLAIN QUERY PLAN " + rest : std::string();
}

/// Runs a command of the prompt. Returns false if it ends the prompt.
bool SqlPrompt::runCommand(const std::string& line)
{
    const std::string command = line.substr(0, line.find_last_not_of(" \t\r;") + 1);
    const std::size_t space = command.find(' ');
    const std::string name = command.substr(0, space);
    const std::string rest(space == std::string::npos ? "" : command.substr(space + 1));
    if (name == ".quit" || name == ".exit")
        return false;
    if (name == ".timer" && (rest == "on" || rest == "off")) {
        m_showsTime = rest == "on";
        return true;
    }
    if (const std::string meant = statementOf(name, rest); !meant.empty())
        runStatement(meant);
    else
        std::cout << PromptHelp << std::flush;
    return true;
}

void SqlPrompt::runStatement(const std::string& statement)
{
    const auto begin = std::chrono::steady_clock::now();
    std::optional<StopAtInterrupt> stop;
    if (m_input.interrupts())
        stop.emplace(*m_input.interrupts());
    const Status done = printResult(m_database, statement, m_format, stop ? stop->token() : std::stop_token());
    stop.reset();
    if (done) {
        m_afterStatement(statement);
    } else {
        warn(done.error().what);
        m_hasFailed = true;
    }
    if (m_showsTime) {
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        std::cerr << fmt::format("Time: {:.3f} s\n", time.count());
    }
    if (m_input.interrupts())
        m_input.interrupts()->take();
    m_input.forgetSchema();
}

} // namespace

std::unique_ptr<sql::RowReceiver> makeRowPrinter(Output& output, OutputFormat format)
{
    return std::make_unique<RowPrinter>(output, format);
}

Status printResult(sql::Database& database, std::string_view statements, OutputFormat format, std::stop_token stop)
{
    Output output;
    Status done = Done{};
    {
        RowPrinter printer(output, format);
        sql::RunLimits limits;
        limits.stop = std::move(stop);
        done = database.run(statements, printer, limits);
    }
    output.flush();
    if (done && output.hasFailed())
        return Error{Error::Kind::Unreadable, output.problem()};
    return done;
}

int runSqlPrompt(sql::Database& database, OutputFormat format, std::function<void(std::string_view statement)> afterStatement)
{
    SqlPrompt prompt(database, format, std::move(afterStatement));
    prompt.run();
    return prompt.hasFailed() && !prompt.isAtTerminal() ? ExitInput : ExitDone;
}

} // namespace helio
