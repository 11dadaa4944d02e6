#include "app/cli/commands/compare_samples.h"

#include "app/cli/command.h"
#include "app/cli/commands/sample_difference.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/sample_selection.h"
#include "core/base/json.h"
#include "core/profiling/samples/amount_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace helio {
namespace {

using Per = DifferenceBasis::Per;

/// Returns the cell for an amount. A share has six decimals. An amount per unit of work, or a count with decimals, has six significant
/// digits. Every other amount is an integer.
Cell scaled(double value, Per per, bool hasDecimals)
{
    constexpr double Most = 9.2e18;
    if (per == Per::Share)
        return Cell::real(value, fmt::format("{:.6f}", value));
    if (per == Per::Unit || hasDecimals)
        return Cell::real(value, std::abs(value) < 1e6 ? fmt::format("{:.6g}", value) : fmt::format("{:.0f}", value));
    return Cell::integer(std::llround(std::clamp(value, -Most, Most)));
}

void writeFunctions(const SampleDifference& difference, TableWriter& table)
{
    const DifferenceTree& tree = difference.tree;
    const Per per = difference.basis.per;
    const auto certainty = [&](const ComparedSum& sum) {
        return tree.scale.isMeasured ? Cell() : Cell::real(sum.z(tree.scale), fmt::format("{:.1f}", sum.z(tree.scale)));
    };
    const bool hasDecimals = tree.scale.divisorA > 1 || tree.scale.divisorB > 1;
    const auto amount = [&](double value) { return scaled(value, per, hasDecimals); };
    for (const FunctionDifference& it : computeFunctionDifferences(tree)) {
        const SampledFunction& function = tree.functions[static_cast<std::size_t>(it.function)];
        table.row({function.label(), function.module, amount(it.self.scaledA(tree.scale)), amount(it.self.scaledB(tree.scale)),
                   amount(it.self.difference(tree.scale)), amount(it.total.scaledA(tree.scale)), amount(it.total.scaledB(tree.scale)),
                   amount(it.total.difference(tree.scale)), countCell(it.self.a.samples, difference.kindA),
                   countCell(it.self.b.samples, difference.kind), certainty(it.self)});
    }
}

/// Returns the name of the unit: "ns", "share", "samples", or the counted event.
std::string unitName(const DifferenceUnit& unit)
{
    return unit.kind == DifferenceUnit::Kind::Time ? "ns" : unit.kind == DifferenceUnit::Kind::Share ? "share" : unit.word;
}

/// Writes the unit of the amounts and the sums over all runs as JSON members.
void writeHead(JsonWriter& json, const SampleDifference& difference)
{
    const auto perName = [&](Per per) {
        return per == Per::Run    ? (difference.isOfCalls ? "call" : "process")
            : per == Per::Share   ? "share"
            : per == Per::Samples ? "samples"
                                  : "unit";
    };
    const DifferenceTree& tree = difference.tree;
    const double a = tree.whole.scaledA(tree.scale);
    const double b = tree.whole.scaledB(tree.scale);
    json.key(difference.isOfCalls ? "function" : "program");
    difference.subject.empty() ? json.null() : json.value(difference.subject);
    json.member("per", perName(difference.basis.per));
    json.member("unit", unitName(difference.basis.unit(difference.kind)));
    json.member(difference.isOfCalls ? "calls_a" : "runs_a", difference.runsA);
    json.member(difference.isOfCalls ? "calls_b" : "runs_b", difference.runsB);
    json.key("samples_a").written(exactCount(tree.whole.a.samples, tree.scale.divisorA));
    json.key("samples_b").written(exactCount(tree.whole.b.samples, tree.scale.divisorB));
    json.member("whole_a", a);
    json.member("whole_b", b);
    json.member("difference", b - a);
    json.member("ratio", a > 0 ? std::optional(b / a) : std::nullopt);
    json.key("notes").beginArray();
    for (const std::string& note : difference.notes)
        json.value(note);
    json.endArray();
}

/// Returns the kind of weight (count or period) for folded stacks: the requested one, else the default for the samples of both sides.
WeightBy countedBy(const SampleOptions& options, const SampleDifference& difference)
{
    if (options.by)
        return *options.by;
    SampleKind both = difference.kind;
    // Extend the range of weights to the weights of both sides. Do not extend it if the samples have different origins, because one side
    // then has no weights.
    if (both.origin == difference.kindA.origin)
        both.mergeWeights(difference.kindA.leastWeight, difference.kindA.mostWeight);
    return defaultWeight(both);
}

} // namespace

int printSampleDifference(const CompareOptions& options, const ComparedSides& sides)
{
    using Shows = CompareOptions::Shows;
    CallTreeOptions tree;
    tree.shape = options.isInverted ? CallTreeOptions::Shape::Inverted : CallTreeOptions::Shape::TopDown;
    tree.by = options.samples.by.value_or(WeightBy::Samples);
    const bool isFolded = options.shows == Shows::Folded;
    const bool isOfFunctions = isFolded || options.shows == Shows::Functions;
    auto difference = sampleDifference({options.selection, options.samples, options.difference, tree, !isOfFunctions, !isFolded}, sides);
    return difference ? printSampleDifference(options, std::move(*difference)) : failWith(difference.error());
}

int printSampleDifference(const CompareOptions& options, SampleDifference difference)
{
    using Shows = CompareOptions::Shows;
    Output output;
    const auto write = [&](std::string_view text) {
        output.buffer() += text;
        output.flushIfFull();
        return !output.hasFailed();
    };
    if (options.shows == Shows::Folded) {
        difference.tree.scale.by = countedBy(options.samples, difference);
        writeDifferentialFolded(difference.tree, write);
    } else if (options.shows == Shows::Svg) {
        writeDifference({.difference = options.difference, .isIcicle = options.isIcicle, .isInverted = options.isInverted}, difference,
                        write);
    } else {
        TableWriter table(output, options.format.output,
                          {"function", "module", "self_a", "self_b", "self_difference", "total_a", "total_b", "total_difference",
                           "samples_a", "samples_b", "z"},
                          TimeStyle(), [&](JsonWriter& json) { writeHead(json, difference); });
        writeFunctions(difference, table);
    }
    output.flush();
    report(options.reading, difference.notes);
    report(options.reading, difference.limits);
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : ExitDone;
}

} // namespace helio
