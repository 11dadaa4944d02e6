#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "core/compare/ledger.h"
#include "core/query/facts.h"

#include <fmt/format.h>

namespace helio {
namespace {

std::string inWords(const Ledger& ledger, const std::string& program)
{
    const auto time = [](Duration d) {
        std::string text;
        appendDuration(text, d.count());
        return text;
    };
    std::string words;
    appendPlain(words, program);
    words +=
        fmt::format(": {} in A, {} in B; wall time of one: {} in A, {} in B", ledger.runsA, ledger.runsB, time(ledger.a), time(ledger.b));
    if (ledger.a > Duration::zero())
        words += fmt::format(", {:.3g} times as long", double(ledger.b.count()) / double(ledger.a.count()));
    if (const auto efficiency = ledger.efficiency())
        words += fmt::format("; parallel efficiency {:.1f} %", *efficiency * 100);
    return words + '\n';
}

std::vector<Cell> cellsOf(const LedgerLine& line, Duration whole)
{
    const auto ratio = line.a > Duration::zero() ? Cell(fmt::format("{:.4g}", double(line.b.count()) / double(line.a.count()))) : Cell();
    const auto part =
        whole != Duration::zero() ? Cell(fmt::format("{:.4f}", double(line.difference().count()) / double(whole.count()))) : Cell();
    return {line.state, line.detail, line.a, line.b, line.difference(), ratio, part};
}

int printLedger(const CommandOptions& options, const Ledger& ledger, const std::string& program)
{
    Output output;
    if (options.format == OutputFormat::Text)
        output.buffer() += inWords(ledger, program);
    {
        TableWriter table(output, options.format, {"state", "detail", "a_ns", "b_ns", "difference_ns", "ratio", "part_of_difference"},
                          TimeStyle());
        for (const LedgerLine& line : ledger.lines)
            table.row(cellsOf(line, ledger.b - ledger.a));
        table.row(cellsOf({"sum", {}, ledger.a, ledger.b}, ledger.b - ledger.a));
    }
    output.flush();
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : ExitDone;
}

Result<OpenedExperiment> openSide(CommandOptions options, const std::vector<std::filesystem::path>& traces)
{
    options.traces = traces;
    return openExperiment(options);
}

} // namespace

int runCompare(const CommandOptions& options)
{
    const auto a = openSide(options, options.tracesA);
    if (!a)
        return failWith(a.error());
    const auto b = openSide(options, options.tracesB);
    if (!b)
        return failWith(b.error());
    const std::string program = options.process.empty() ? commonProgram(*a->timeline, a->window, *b->timeline, b->window) : options.process;
    if (program.empty())
        return failWith({Error::Kind::Unreadable, "compare: no program ran in both A and B; --process chooses one"});
    const auto runsA = processRuns(*a->timeline, program, a->window);
    const auto runsB = processRuns(*b->timeline, program, b->window);
    for (const auto& [runs, side] : {std::pair(&runsA, "A"), std::pair(&runsB, "B")})
        if (runs->empty())
            return failWith({Error::Kind::Unreadable, fmt::format("compare: no process \"{}\" ran in {}", program, side)});
    const int status = printLedger(options, whySlower(*a->timeline, runsA, *b->timeline, runsB), program);
    return status == ExitDone && (a->hasProblems || b->hasProblems) ? ExitInput : status;
}

} // namespace helio
