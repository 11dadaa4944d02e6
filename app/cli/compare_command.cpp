#include "app/cli/commands.h"
#include "app/cli/compare_samples.h"
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

ComparedRuns runsOf(OpenedExperiment opened, const std::string& program)
{
    ComparedRuns side;
    side.program = program;
    side.runs = processRuns(*opened.timeline, program, opened.window);
    side.opened = std::move(opened);
    return side;
}

} // namespace

int runCompare(const CommandOptions& options)
{
    auto a = openSide(options, options.tracesA);
    if (!a)
        return failWith(a.error());
    auto b = openSide(options, options.tracesB);
    if (!b)
        return failWith(b.error());
    const bool hasProblems = a->hasProblems || b->hasProblems;
    std::string program = options.process;
    if (const auto common = program.empty() ? commonPrograms(*a->timeline, a->window, *b->timeline, b->window) : std::vector<std::string>();
        !common.empty())
        program = common.front();
    if (program.empty())
        return failWith({Error::Kind::Unreadable, "compare: no program ran in both A and B; --process chooses one"});
    const ComparedRuns inA = runsOf(std::move(*a), program);
    const ComparedRuns inB = runsOf(std::move(*b), program);
    for (const auto& [side, letter] : {std::pair(&inA, "A"), std::pair(&inB, "B")})
        if (side->runs.empty())
            return failWith({Error::Kind::Unreadable, fmt::format("compare: no process \"{}\" ran in {}", program, letter)});
    const bool isOfSamples = options.flame.format != FlameOptions::Format::Tree;
    const int status = isOfSamples
        ? printSampleDifference(options, inA, inB)
        : printLedger(options, whySlower(*inA.opened.timeline, inA.runs, *inB.opened.timeline, inB.runs), program);
    return status == ExitDone && hasProblems ? ExitInput : status;
}

} // namespace helio
