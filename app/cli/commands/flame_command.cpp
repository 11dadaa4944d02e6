#include "app/cli/command.h"
#include "app/cli/commands/flame_options.h"
#include "app/cli/commands/function_output.h"
#include "app/cli/output/output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/sample_selection.h"
#include "app/cli/selection/unmatched_options.h"
#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/export/speedscope.h"
#include "core/profiling/samples/amount_text.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "widgets/flame/view/flame_svg.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {
namespace {

/// Writes the tree depth first, without recursion because stacks may be deep.
void writeTree(OutputFormat format, const CallTree& tree, WeightBy by, TableWriter& table)
{
    std::vector<std::uint32_t> pending;
    const auto addChildren = [&](std::uint32_t node) {
        for (std::uint32_t i = tree.nodes[node].childCount; i-- > 0;)
            pending.push_back(tree.nodes[node].firstChild + i);
    };
    addChildren(0);
    while (!pending.empty()) {
        const std::uint32_t index = pending.back();
        pending.pop_back();
        const CallNode& node = tree.nodes[index];
        const SampledFunction& function = tree.functionOf(index);
        std::vector<Cell> cells;
        if (format == OutputFormat::Text)
            cells = {percentText(amount(node.total, by), amount(tree.whole, by)), percentText(amount(node.own, by), amount(tree.whole, by)),
                     std::string(2 * std::size_t(node.depth - 1), ' ') + function.label() + (node.isInlined ? " (inlined)" : ""),
                     function.module};
        else
            cells = {Cell::integer(index),
                     Cell::integer(node.parent),
                     Cell::integer(node.depth),
                     function.label(),
                     function.module,
                     countCell(node.own.samples, tree.kind),
                     countCell(node.total.samples, tree.kind),
                     countCell(node.own.weight, tree.kind),
                     countCell(node.total.weight, tree.kind),
                     node.first,
                     Cell::integer(node.isInlined)};
        table.row(cells);
        addChildren(index);
    }
}

Status writeTable(const FlameOptions& options, const SelectedSamples& samples, Output& output)
{
    const TimeStyle times(hasEpoch(*samples.opened.timeline));
    const bool isText = options.table.format.output == OutputFormat::Text;
    const StackProfile& profile = samples.profile;
    const WeightBy by = options.samples.weightOf(profile.kind);
    if (isText && by == WeightBy::Weight) // Shares of samples need no heading.
        output.buffer() += headingWords(sumOf(profile), by, profile.kind) + '\n';
    if (options.shows == FlameOptions::Shows::Functions)
        return writeFunctions(options, samples, times, output);
    const CallTree tree = buildCallTree(profile, samples.names, options.tree.by(by));
    std::vector<std::string> columns{"total %", "self %", "function", "module"};
    if (!isText)
        columns = {"node",          "parent",      "depth",        "function", "module", "self_samples",
                   "total_samples", "self_weight", "total_weight", "first_ns", "inlined"};
    TableWriter table(output, options.table.format.output, std::move(columns), times);
    writeTree(options.table.format.output, tree, by, table);
    return Done{};
}

void writeGraph(const FlameOptions& options, const StackProfile& profile, const StackNames& names, Output& output)
{
    const WeightBy by = options.samples.weightOf(profile.kind);
    const TextSink write = [&](std::string_view text) {
        output.buffer() += text;
        output.flushIfFull();
        return !output.hasFailed();
    };
    const CallTree tree = buildCallTree(profile, names, options.tree.by(by));
    if (options.shows == FlameOptions::Shows::Folded)
        return writeFolded(tree, by, write);
    SvgOptions svg;
    svg.title = !options.title.empty() ? options.title : options.table.traces.front().filename().string() + ": " + profile.kind.name;
    svg.width = options.width;
    svg.subtitle = headingWords(sumOf(profile), by, profile.kind);
    svg.isIcicle = options.tree.isIcicle || options.tree.isInverted();
    writeFlameSvg(tree, by, svg, options.coloring, nullptr, Theme::make(Theme::Kind::Light), write);
}

/// Writes the samples of the chosen event, or of all events one after the other.
int runSpeedscope(const FlameOptions& options)
{
    if (const auto done = checkSampleFilter(options.table.selection); !done)
        return failWith(done.error());
    const auto opened = openExperiment(options.table.traces, options.table.reading, options.table.selection);
    if (!opened)
        return failWith(opened.error());
    const Timeline& timeline = *opened->timeline;
    const auto chosen = findSampleKind(timeline, options.samples);
    if (!chosen)
        return failWith(chosen.error());
    const bool isOfCalls = areCalls(*chosen) && (options.samples.calls || !options.samples.event.empty());
    const auto callKind = areCalls(*chosen) ? helio::callKind(timeline, chosen->name) : std::nullopt;
    if (callKind && callKind->weighs != CallKind::WeighedTime::Length)
        return failWith({Error::Kind::Usage, "--by: calls always have their whole length in --format speedscope"});
    if (callKind && (!options.tree.tree.focus.empty() || options.tree.tree.shape != CallTreeOptions::Shape::TopDown))
        return failWith({Error::Kind::Usage, "--format speedscope: --focus, --inverted, --callers and --callees need samples, not calls"});
    std::vector<SampleKindFacts> kinds = sampleKinds(timeline);
    const std::vector<std::string> offCpu = offCpuKinds(kinds);
    std::erase_if(kinds, [&](const SampleKindFacts& it) {
        const bool isChosen = options.samples.event.empty()
            || it.kind.name == chosen->name
            // Each state off the CPU has a profile of its own.
            || (chosen->name == AllOffCpu && std::ranges::find(offCpu, it.kind.name) != offCpu.end());
        return it.samples == 0 || areCalls(it.kind) || isOfCalls || !isChosen;
    });
    std::vector<std::pair<StackProfile, StackNames>> collected;
    for (const SampleKindFacts& it : kinds) {
        StackProfile profile = collectSingleSamples(timeline, sampleFilterOf(options.table.selection, *opened, it.kind));
        StackNames names = nameStacks(profile, timeline, {options.samples.expandsInlined});
        collected.emplace_back(std::move(profile), std::move(names));
    }
    const bool isEmpty = std::ranges::all_of(collected, [](const auto& it) { return it.first.samples == 0; });
    if (const Status named = isEmpty ? checkThreadNames(options.table.selection, timeline) : Status(Done{}); !named)
        return failWith(named.error());
    std::vector<SpeedscopeProfile> parts;
    for (const auto& [profile, names] : collected)
        parts.push_back({profile, names, options.samples.by.value_or(WeightBy::Weight)});
    CallTreeOptions tree = options.tree.by(options.samples.by.value_or(WeightBy::Samples));
    if (tree.base == CallTreeOptions::Base::Command) // Each thread is a profile of its own.
        tree.base = CallTreeOptions::Base::None;
    Output output;
    const TextSink write = [&](std::string_view text) {
        output.buffer() += text;
        output.flushIfFull();
        return !output.hasFailed();
    };
    const SpeedscopeCalls calls = callKind
        ? collectCallSequences(timeline, *callKind, sampleFilterOf(options.table.selection, *opened, callKind->facts.kind), tree)
        : SpeedscopeCalls();
    writeSpeedscope(parts, calls, tree, options.table.traces.front().filename().string(), write);
    output.flush();
    for (const auto& [profile, names] : collected)
        report(options.table.reading, describeLimits(profile, names, timeline));
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

int run(const FlameOptions& options)
{
    if (options.shows == FlameOptions::Shows::Speedscope)
        return runSpeedscope(options);
    const auto samples =
        selectSamples(options.table.traces, options.table.reading, options.table.selection, options.samples, options.tree.tree);
    if (!samples)
        return failWith(samples.error());
    const auto& [opened, profile, names, kinds] = *samples;
    Output output;
    if (options.shows == FlameOptions::Shows::Tree || options.shows == FlameOptions::Shows::Functions) {
        if (const auto done = writeTable(options, *samples, output); !done)
            return failWith(done.error());
    } else {
        writeGraph(options, profile, names, output);
    }
    output.flush();
    report(options.table.reading, describeLimits(profile, names, *opened.timeline));
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened.hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command flameCommand;
const Command flameCommand{90,
                           "flame",
                           "Sum sampled call stacks as a tree, a table or a flame graph",
                           callOf<FlameOptions, run>,
                           R"(heliograph flame perf.data --format svg > flame.svg
heliograph flame perf.data --table --group module
heliograph flame TRACE --event off-cpu:blocked --process nginx
)",
                           R"(Weights of --by:
  samples                   number of samples; the default where all periods are 1
  period                    event periods; the default otherwise; CPU and off-CPU time for clocks
  wall, self-wall           duration of calls; self-wall sorts by self time
  cpu, calls                CPU time in calls, number of calls
Event off-cpu includes all off-cpu:STATE events; call:states shows calls by thread state.
)"};

} // namespace helio
