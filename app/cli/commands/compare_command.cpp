#include "app/cli/command.h"
#include "app/cli/commands/breakdown_table.h"
#include "app/cli/commands/compare_calls.h"
#include "app/cli/commands/compare_samples.h"
#include "app/cli/commands/sample_difference.h"
#include "app/cli/selection/open_experiment.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/compare/breakdown.h"
#include "core/compare/conclusion.h"
#include "core/compare/durations.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace helio {
namespace {

/// Returns the summary above the breakdown. It has one line with, for both sides, the number of runs, the wall time per run, the CPU
/// time of all threads (unless the basis is the first thread) and the parallel efficiency if known. A second line is `why`, unless it is
/// empty.
std::string inWords(const Breakdown& breakdown, const std::string& program, std::pair<Duration, Duration> cpuTimes, const std::string& why)
{
    const auto onBoth = [](Duration a, Duration b, std::string_view compared) {
        std::string words;
        appendDuration(words, a.count());
        words += " in A, ";
        appendDuration(words, b.count());
        words += " in B";
        return a > Duration::zero() ? words + fmt::format(", {:.3g} times as {}", double(b.count()) / double(a.count()), compared) : words;
    };
    std::string words;
    appendPrintable(words, program);
    words += fmt::format(": {} in A, {} in B; wall time per run: ", breakdown.runsA, breakdown.runsB)
        + onBoth(breakdown.wallA, breakdown.wallB, "long");
    if (breakdown.basis != BreakdownBasis::FirstThread)
        words += "; CPU time of all its threads: " + onBoth(cpuTimes.first, cpuTimes.second, "much");
    if (const auto efficiency = breakdown.efficiency())
        words += fmt::format("; parallel efficiency {:.1f} %", *efficiency * 100);
    return words + '\n' + (why.empty() ? why : why + '\n');
}

/// Returns the name of the quantity that the lines of the breakdown add up to, for the given basis.
std::string_view wordOf(BreakdownBasis basis)
{
    return basis == BreakdownBasis::FirstThread ? "wall-time" : basis == BreakdownBasis::CriticalPath ? "critical-path" : "cpu-time";
}

/// Writes the content of inWords() as JSON members.
void writeHead(JsonWriter& json, const Breakdown& breakdown, const std::string& program, std::pair<Duration, Duration> cpuTimes,
               const std::string& why)
{
    json.member("program", program);
    json.member("unit", "ns");
    json.member("runs_a", breakdown.runsA);
    json.member("runs_b", breakdown.runsB);
    json.member("wall_a_ns", breakdown.wallA.count());
    json.member("wall_b_ns", breakdown.wallB.count());
    json.member("difference_ns", (breakdown.wallB - breakdown.wallA).count());
    json.member("ratio", ratio(breakdown.wallA, breakdown.wallB));
    json.member("rows_of", wordOf(breakdown.basis));
    json.member("cpu_a_ns", cpuTimes.first.count());
    json.member("cpu_b_ns", cpuTimes.second.count());
    json.member("parallel_efficiency", breakdown.efficiency());
    json.member("conclusion", why);
}

/// Returns the code that accounts for the difference in CPU time, found in the samples. Returns nullopt if a side has no samples that
/// measure CPU time.
std::optional<CodeDifference> codeOf(const CompareOptions& options, const ComparedSides& sides)
{
    CallTreeOptions tree;
    tree.by = WeightBy::Weight;
    const auto difference = sampleDifference({options.selection, options.samples, options.difference, tree, false, true}, sides);
    const bool isOfTime = difference && difference->basis.unit(difference->kind).kind == DifferenceUnit::Kind::Time;
    return isOfTime ? findCodeDifference(difference->tree, computeFunctionDifferences(difference->tree)) : std::nullopt;
}

int printBreakdown(const CompareOptions& options, const ComparedSides& compared)
{
    const OutputFormat format = options.format.output;
    const auto sides = makeSideRuns(*compared.a.opened.timeline, compared.a.runs, *compared.b.opened.timeline, compared.b.runs);
    const Breakdown breakdown = computeBreakdown(sides.first, sides.second);
    const std::string& program = compared.a.program;
    const SideMeasurements ofA = measureSide(sides.first), ofB = measureSide(sides.second);
    const bool isOfThreads = breakdown.basis != BreakdownBasis::FirstThread;
    const std::string why = conclusion(breakdown, ofA, ofB, isOfThreads ? codeOf(options, compared) : std::nullopt);
    const auto cpu = cpuTimes(ofA, ofB);
    Output output;
    if (format == OutputFormat::Text)
        output.buffer() += inWords(breakdown, program, cpu, why);
    writeBreakdown(breakdown, format, output, [&](JsonWriter& json) { writeHead(json, breakdown, program, cpu, why); });
    output.flush();
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : ExitDone;
}

std::vector<Cell> cellsOf(const ComparedDurations& it)
{
    const auto count = [](const DurationDistribution& spread) { return Cell::integer(static_cast<std::int64_t>(spread.count)); };
    const auto length = [](const DurationDistribution& spread, Duration DurationDistribution::*of) {
        return spread.count > 0 ? Cell(spread.*of) : Cell();
    };
    std::vector<Cell> cells{it.kind == ComparedDurations::Kind::Syscall ? "syscall" : "state", it.state.name, it.detail, count(it.a),
                            count(it.b)};
    for (const auto of : {&DurationDistribution::total, &DurationDistribution::least, &DurationDistribution::median,
                          &DurationDistribution::p99, &DurationDistribution::most})
        for (const DurationDistribution* spread : {&it.a, &it.b})
            cells.push_back(length(*spread, of));
    return cells;
}

/// Prints a comparison of the durations of state intervals and system calls, over all threads of the runs.
int printDurations(OutputFormat format, const ComparedRuns& a, const ComparedRuns& b)
{
    const Subject subject{a.program, {}};
    Output output;
    {
        TableWriter table(output, format,
                          {"kind", "state", "detail", "count_a", "count_b", "total_a_ns", "total_b_ns", "min_a_ns", "min_b_ns",
                           "median_a_ns", "median_b_ns", "p99_a_ns", "p99_b_ns", "max_a_ns", "max_b_ns"},
                          TimeStyle(), [&](JsonWriter& json) {
                              json.member("program", a.program);
                              json.member("unit", "ns");
                              json.member("runs_a", std::uint64_t(a.runs.size()));
                              json.member("runs_b", std::uint64_t(b.runs.size()));
                          });
        for (const ComparedDurations& it : compareDurations(*a.opened.timeline, subject, a.runs, *b.opened.timeline, subject, b.runs))
            table.row(cellsOf(it));
    }
    output.flush();
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : ExitDone;
}

int run(const CompareOptions& options)
{
    using Shows = CompareOptions::Shows;
    if (!options.calls.empty())
        return compareCalls(options);
    const auto sides = openSides(options.sides, options.reading, options.selection, options.difference.isOfAll);
    if (!sides)
        return failWith(sides.error());
    const auto& [a, b, hasProblems] = *sides;
    const OutputFormat format = options.format.output;
    if (options.shows == Shows::Durations && a.program.empty())
        return failWith({Error::Kind::Unreadable, "compare --durations: samples without times have no durations"});
    const int status = options.shows == Shows::Durations          ? printDurations(format, a, b)
        : options.shows == Shows::Breakdown && !a.program.empty() ? printBreakdown(options, *sides)
                                                                  : printSampleDifference(options, *sides);
    return status == ExitDone && hasProblems ? ExitInput : status;
}

} // namespace

extern const Command compareCommand;
const Command compareCommand{80,
                             "compare",
                             "Explain why B is slower than A, or slow calls slower than fast ones",
                             callOf<CompareOptions, run>,
                             R"(heliograph compare --a SOLO --b PARALLEL --process solver
heliograph compare --a OLD --b NEW --functions
heliograph compare TRACE --calls handle_request --longer-than 5ms
)",
                             R"(Formats table, folded and svg apply to sampled call stacks. Without a common program on both
sides, --per defaults to share.
)"};

} // namespace helio
