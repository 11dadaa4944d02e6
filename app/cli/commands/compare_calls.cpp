#include "app/cli/commands/compare_calls.h"

#include "app/cli/command.h"
#include "app/cli/commands/breakdown_table.h"
#include "app/cli/commands/compare_samples.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/sample_selection.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/compare/call_sides.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace helio {
namespace {

/// An opened experiment, and the calls of the function to compare.
struct ComparedCalls {
    OpenedExperiment opened;
    CallKind kind;
    SampledFunction function;
    SplitCalls sides;
};

std::string timeText(Duration time)
{
    std::string text;
    appendDuration(text, time.count());
    return text;
}

Error unreadable(std::string what) { return {Error::Kind::Unreadable, "compare --calls: " + std::move(what)}; }

/// Returns the calls of the function in --calls that the options select.
CallsOfFunction selectedCalls(const CompareOptions& options, const OpenedExperiment& opened, const CallKind& kind)
{
    const RowSelection selection(options.selection, *opened.timeline);
    struct CachedRow {
        bool isChosen = false;
        RowFacts facts;
    };
    std::map<TrackRef, CachedRow> rows;
    return callsOf(*opened.timeline, kind, options.calls, opened.window, [&](const Row& row, std::string_view name, TimeRange range) {
        const auto [known, isNew] = rows.try_emplace(row.ref);
        if (isNew)
            known->second = {selection.isChosen(row), selection.factsOf(row)};
        return known->second.isChosen && selection.selects(known->second.facts, name, range);
    });
}

Result<ComparedCalls> openCalls(const CompareOptions& options)
{
    auto opened = openExperiment(options.traces, options.reading, options.selection);
    if (!opened)
        return opened.error();
    if (const auto done = addCorrelatedRows(*opened); !done)
        return done.error();
    const std::vector<CallKind> kinds = callKinds(*opened->timeline);
    if (kinds.empty())
        return unreadable("no function calls were recorded");
    auto kind = options.samples.event.empty() ? kinds.front() : callKind(*opened->timeline, options.samples.event);
    // A breakdown compares durations. If the kind weighs calls by CPU time or by states, replace it with the kind that weighs the same
    // calls by duration.
    if (kind && options.shows == CompareOptions::Shows::Breakdown)
        kind = callKind(*opened->timeline, kind->segments);
    if (!kind)
        return Error{Error::Kind::Usage, "--event: there are no calls of the kind \"" + options.samples.event + '"'};
    CallsOfFunction found = selectedCalls(options, *opened, *kind);
    if (found.calls.empty())
        return unreadable("no call of \"" + options.calls + "\" is in the selection; heliograph latency --of call lists the functions");
    const auto longest = std::ranges::max(found.calls, {}, [](const FunctionCall& call) { return call.range.duration(); });
    ComparedCalls calls{std::move(*opened), *kind, std::move(found.function), splitByDuration(std::move(found.calls), options.longerThan)};
    const auto& [a, b, limit] = calls.sides;
    if (b.empty())
        return unreadable(fmt::format("none of {} calls is longer than {}; the longest takes {}", a.size(), timeText(limit),
                                      timeText(longest.range.duration())));
    if (a.empty())
        return unreadable(fmt::format("all {} calls are longer than {}", b.size(), timeText(limit)));
    return calls;
}

SampleDifference differenceOf(const ComparedCalls& calls)
{
    const auto& [a, b, limit] = calls.sides;
    SampleDifference difference;
    difference.subject = calls.function.label();
    difference.isOfCalls = true;
    difference.runsA = static_cast<std::uint32_t>(a.size());
    difference.runsB = static_cast<std::uint32_t>(b.size());
    difference.kindA = difference.kind = calls.kind.facts.kind;
    difference.tree = compareCallees(*calls.opened.timeline, calls.kind, calls.function, calls.sides);
    difference.subtitle = fmt::format("{} calls of at most {} in A, {} longer ones in B", a.size(), timeText(limit), b.size());
    return difference;
}

std::string signedTime(double ns) { return (ns < 0 ? "-" : "+") + timeText(Duration(std::llround(std::abs(ns)))); }

/// Returns the main differences as sentences, for example "Most of it: +4.1 ms sleeping clock_nanosleep. By function: +4.2 ms app::nap
/// itself."
std::string conclusion(const Breakdown& breakdown, const SampleDifference& difference)
{
    std::string words;
    if (const auto& most = breakdown.lines; !most.empty())
        words = fmt::format("Largest difference by state: {} {}{}{}.", signedTime(double(most.front().difference().count())),
                            most.front().state.name, most.front().detail.empty() ? "" : " ", most.front().detail);
    if (const auto functions = computeFunctionDifferences(difference.tree); !functions.empty())
        words += fmt::format(" By function: {} self time in {}.", signedTime(functions.front().self.difference(difference.tree.scale)),
                             difference.tree.functions[static_cast<std::size_t>(functions.front().function)].label());
    return words;
}

std::string inWords(const ComparedCalls& calls, const Breakdown& breakdown, const SampleDifference& difference)
{
    std::string words;
    appendPrintable(words, calls.function.label());
    words += fmt::format(": {}; mean per call: {} in A, {} in B", difference.subtitle, timeText(breakdown.a), timeText(breakdown.b));
    if (const auto times = ratio(breakdown.a, breakdown.b))
        words += fmt::format(", {:.3g} times as long", *times);
    words += '\n';
    appendPrintable(words, conclusion(breakdown, difference));
    return words + '\n';
}

void writeHead(JsonWriter& json, const ComparedCalls& calls, const Breakdown& breakdown, const SampleDifference& difference)
{
    json.member("function", calls.function.label());
    json.member("module", calls.function.module);
    json.member("unit", "ns");
    json.member("longer_than_ns", calls.sides.limit.count());
    json.member("calls_a", breakdown.runsA);
    json.member("calls_b", breakdown.runsB);
    json.member("wall_a_ns", breakdown.a.count());
    json.member("wall_b_ns", breakdown.b.count());
    json.member("difference_ns", (breakdown.b - breakdown.a).count());
    json.member("ratio", ratio(breakdown.a, breakdown.b));
    json.member("conclusion", conclusion(breakdown, difference));
}

int printBreakdown(const CompareOptions& options, const ComparedCalls& calls)
{
    const Breakdown breakdown = computeBreakdown(*calls.opened.timeline, calls.sides);
    const SampleDifference difference = differenceOf(calls);
    const OutputFormat format = options.format.output;
    Output output;
    if (format == OutputFormat::Text)
        output.buffer() += inWords(calls, breakdown, difference);
    writeBreakdown(breakdown, format, output, [&](JsonWriter& json) { writeHead(json, calls, breakdown, difference); });
    output.flush();
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : ExitDone;
}

} // namespace

int compareCalls(const CompareOptions& options)
{
    const auto calls = openCalls(options);
    if (!calls)
        return failWith(calls.error());
    const int status = options.shows == CompareOptions::Shows::Breakdown ? printBreakdown(options, *calls)
                                                                         : printSampleDifference(options, differenceOf(*calls));
    return status == ExitDone && calls->opened.hasProblems ? ExitInput : status;
}

} // namespace helio
