#include "app/cli/commands.h"
#include "app/cli/compare_samples.h"
#include "app/cli/opening.h"
#include "core/compare/durations.h"
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

std::vector<Cell> cellsOf(const ComparedDurations& it)
{
    const auto count = [](const DurationSpread& spread) { return Cell::integer(static_cast<std::int64_t>(spread.count)); };
    const auto length = [](const DurationSpread& spread, Duration DurationSpread::*of) {
        return spread.count > 0 ? Cell(spread.*of) : Cell();
    };
    std::vector<Cell> cells{it.kind == ComparedDurations::Kind::Syscall ? "syscall" : "state", it.state, it.detail, count(it.a),
                            count(it.b)};
    for (const auto of :
         {&DurationSpread::total, &DurationSpread::least, &DurationSpread::median, &DurationSpread::p99, &DurationSpread::most})
        for (const DurationSpread* spread : {&it.a, &it.b})
            cells.push_back(length(*spread, of));
    return cells;
}

/// How long each stay in a state and each system call lasted, of all threads of the runs.
int printDurations(const CommandOptions& options, const ComparedRuns& a, const ComparedRuns& b)
{
    const Subject subject{a.program, {}};
    Output output;
    {
        TableWriter table(output, options.format,
                          {"kind", "state", "detail", "count_a", "count_b", "total_a_ns", "total_b_ns", "min_a_ns", "min_b_ns",
                           "median_a_ns", "median_b_ns", "p99_a_ns", "p99_b_ns", "max_a_ns", "max_b_ns"},
                          TimeStyle());
        for (const ComparedDurations& it : compareDurations(*a.opened.timeline, subject, a.runs, *b.opened.timeline, subject, b.runs))
            table.row(cellsOf(it));
    }
    output.flush();
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : ExitDone;
}

} // namespace

int runCompare(const CommandOptions& options)
{
    const auto sides = openSides(options);
    if (!sides)
        return failWith(sides.error());
    const auto& [a, b, hasProblems] = *sides;
    const bool isOfSamples = options.flame.format != FlameOptions::Format::Tree || a.program.empty();
    if (options.difference.isOfDurations && a.program.empty())
        return failWith({Error::Kind::Unreadable, "compare --durations: samples without times have no durations"});
    const int status = options.difference.isOfDurations ? printDurations(options, a, b)
        : isOfSamples                                   ? printSampleDifference(options, *sides)
                      : printLedger(options, whySlower(*a.opened.timeline, a.runs, *b.opened.timeline, b.runs), a.program);
    return status == ExitDone && hasProblems ? ExitInput : status;
}

} // namespace helio
