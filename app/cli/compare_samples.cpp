#include "app/cli/compare_samples.h"

#include "app/cli/output.h"
#include "app/cli/sample_selection.h"
#include "core/compare/program_samples.h"
#include "core/compare/tree_difference.h"

#include <cmath>
#include <fmt/format.h>

namespace helio {
namespace {

struct SidesTree {
    CallTree tree;
    SampleKind kind;
};

/// The call tree of all that the runs' processes did while they ran.
Result<SidesTree> treeOf(const CommandOptions& options, const ComparedRuns& side)
{
    const Timeline& timeline = *side.opened.timeline;
    const auto kind = chosenKind(sampleKinds(timeline), options.flame.event);
    if (!kind)
        return kind.error();
    const StackProfile profile = collectRuns(timeline, {side.program, {}}, side.runs, sampleFilterOf(options, side.opened, *kind));
    CallTreeOptions how = options.flame.tree;
    how.base = CallTreeOptions::Base::None;
    return SidesTree{buildCallTree(profile, nameStacks(profile, timeline), how), *kind};
}

/// Of one run, in whole units.
Cell scaled(double value) { return Cell::integer(std::llround(value)); }

void writeFunctions(const DifferenceTree& tree, TableWriter& table)
{
    const auto count = [](std::uint64_t samples) { return Cell::integer(static_cast<std::int64_t>(samples)); };
    for (const FunctionDifference& it : functionDifferences(tree)) {
        const SampledFunction& function = tree.functions[static_cast<std::size_t>(it.function)];
        table.row({function.label(), function.module, scaled(it.self.scaledA(tree.scale)), scaled(it.self.scaledB(tree.scale)),
                   scaled(it.self.difference(tree.scale)), scaled(it.total.scaledA(tree.scale)), scaled(it.total.scaledB(tree.scale)),
                   scaled(it.total.difference(tree.scale)), count(it.self.a.samples), count(it.self.b.samples),
                   fmt::format("{:.1f}", it.self.z(tree.scale))});
    }
}

} // namespace

int printSampleDifference(const CommandOptions& options, const ComparedRuns& a, const ComparedRuns& b)
{
    const auto inA = treeOf(options, a);
    if (!inA)
        return failWith(inA.error());
    const auto inB = treeOf(options, b);
    if (!inB)
        return failWith(inB.error());
    if (inA->kind.isTime != inB->kind.isTime)
        return failWith(
            {Error::Kind::Usage,
             fmt::format("compare: {} of A and {} of B do not count the same; --event chooses", inA->kind.name, inB->kind.name)});
    const DifferenceScale perRun{inA->kind.isTime ? WeightBy::Weight : WeightBy::Samples, 1.0 / double(a.runs.size()),
                                 1.0 / double(b.runs.size())};
    const bool isFolded = options.flame.format == FlameOptions::Format::Folded;
    const DifferenceTree tree = compareTrees(inA->tree, inB->tree, isFolded ? DifferenceScale{options.flame.tree.by, 1, 1} : perRun);
    Output output;
    if (isFolded) {
        writeDifferentialFolded(tree, [&](std::string_view text) {
            output.buffer() += text;
            output.flushIfFull();
            return !output.hasFailed();
        });
    } else {
        TableWriter table(output, options.format,
                          {"function", "module", "self_a", "self_b", "self_difference", "total_a", "total_b", "total_difference",
                           "samples_a", "samples_b", "z"},
                          TimeStyle());
        writeFunctions(tree, table);
    }
    output.flush();
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : ExitDone;
}

} // namespace helio
