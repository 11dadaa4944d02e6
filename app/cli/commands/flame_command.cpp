#include "app/cli/command.h"
#include "app/cli/commands/function_output.h"
#include "app/cli/output/output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/sample_selection.h"
#include "core/query/export/call_tree_text.h"
#include "core/query/export/speedscope.h"
#include "core/query/rows/facts.h"
#include "core/query/samples/amount_text.h"
#include "core/query/samples/sample_sequence.h"
#include "widgets/flame/flame_svg.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {
namespace {

std::string percent(std::uint64_t part, std::uint64_t whole)
{
    return fmt::format("{:.2f}", whole ? 100.0 * double(part) / double(whole) : 0.0);
}

Cell count(std::uint64_t number) { return Cell::integer(static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX))); }

/// Depth first, without recursion: stacks may be deep.
void writeTree(const CommandOptions& options, const CallTree& tree, TableWriter& table)
{
    const WeightBy by = options.flame.tree.by;
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
        if (options.format == OutputFormat::Text)
            cells = {percent(amount(node.total, by), amount(tree.whole, by)), percent(amount(node.own, by), amount(tree.whole, by)),
                     std::string(2 * std::size_t(node.depth - 1), ' ') + function.label() + (node.isInlined ? " (inlined)" : ""),
                     function.module};
        else
            cells = {Cell::integer(index),
                     Cell::integer(node.parent),
                     Cell::integer(node.depth),
                     function.label(),
                     function.module,
                     count(node.own.samples),
                     count(node.total.samples),
                     count(node.own.weight),
                     count(node.total.weight),
                     node.first,
                     Cell::integer(node.isInlined)};
        table.row(cells);
        addChildren(index);
    }
}

Status writeTable(const CommandOptions& options, const SelectedSamples& samples, Output& output)
{
    const TimeStyle times(hasEpoch(*samples.opened.timeline));
    const bool isText = options.format == OutputFormat::Text;
    const StackProfile& profile = samples.profile;
    const WeightBy by = options.flame.tree.by;
    if (isText && by == WeightBy::Weight) // Shares of samples need no word.
        output.buffer() += headingWords(sumOf(profile), by, profile.kind) + '\n';
    if (options.flame.format == FlameOptions::Format::Functions)
        return writeFunctions(options, samples, times, output);
    const CallTree tree = buildCallTree(profile, samples.names, options.flame.tree);
    std::vector<std::string> columns{"total %", "self %", "function", "module"};
    if (!isText)
        columns = {"node",          "parent",      "depth",        "function", "module", "self_samples",
                   "total_samples", "self_weight", "total_weight", "first_ns", "inlined"};
    TableWriter table(output, options.format, std::move(columns), times);
    writeTree(options, tree, table);
    return Done{};
}

void writeGraph(const CommandOptions& options, const StackProfile& profile, const StackNames& names, Output& output)
{
    const TextSink write = [&](std::string_view text) {
        output.buffer() += text;
        output.flushIfFull();
        return !output.hasFailed();
    };
    const CallTree tree = buildCallTree(profile, names, options.flame.tree);
    const WeightBy by = options.flame.tree.by;
    if (options.flame.format == FlameOptions::Format::Folded)
        return writeFolded(tree, by, write);
    SvgOptions svg;
    svg.title = !options.flame.title.empty() ? options.flame.title : options.traces.front().filename().string() + ": " + profile.kind.name;
    svg.width = options.flame.width;
    svg.subtitle = headingWords(sumOf(profile), by, profile.kind);
    svg.isIcicle = options.flame.isIcicle || options.flame.tree.shape == CallTreeOptions::Shape::Inverted;
    writeFlameSvg(tree, by, svg, options.flame.coloring, Theme::make(Theme::Kind::Light), write);
}

/// The samples of the event asked for, or of all that there are, one after the other.
int runSpeedscope(const CommandOptions& asked)
{
    if (const auto done = checkSampleFilter(asked); !done)
        return failWith(done.error());
    const auto opened = openExperiment(asked);
    if (!opened)
        return failWith(opened.error());
    const Timeline& timeline = *opened->timeline;
    std::vector<SampleKindFacts> kinds = sampleKinds(timeline);
    const auto chosen = chosenKind(kinds, asked.flame.event);
    if (!chosen)
        return failWith(chosen.error());
    std::erase_if(kinds, [](const SampleKindFacts& it) { return it.samples == 0; });
    if (!asked.flame.event.empty())
        kinds = {{*chosen, 0}};
    std::vector<std::pair<StackProfile, StackNames>> collected;
    for (const SampleKindFacts& it : kinds) {
        StackProfile profile = collectSequence(timeline, sampleFilterOf(asked, *opened, it.kind));
        StackNames names = nameStacks(profile, timeline, {asked.flame.expandsInlined});
        collected.emplace_back(std::move(profile), std::move(names));
    }
    std::vector<SpeedscopePart> parts;
    for (const auto& [profile, names] : collected)
        parts.push_back({profile, names, asked.flame.isWeightChosen ? asked.flame.tree.by : WeightBy::Weight});
    CallTreeOptions tree = asked.flame.tree;
    if (tree.base == CallTreeOptions::Base::Command) // Each thread is a profile of its own.
        tree.base = CallTreeOptions::Base::None;
    Output output;
    const TextSink write = [&](std::string_view text) {
        output.buffer() += text;
        output.flushIfFull();
        return !output.hasFailed();
    };
    writeSpeedscope(parts, tree, asked.traces.front().filename().string(), write);
    output.flush();
    for (const auto& [profile, names] : collected)
        report(asked, limitsOf(profile, names, timeline));
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

int run(const CommandOptions& asked)
{
    if (asked.flame.format == FlameOptions::Format::Speedscope)
        return runSpeedscope(asked);
    const auto samples = selectSamples(asked);
    if (!samples)
        return failWith(samples.error());
    const auto& [opened, profile, names, kinds] = *samples;
    const CommandOptions options = weighted(asked, profile.kind);
    Output output;
    if (options.flame.format == FlameOptions::Format::Tree || options.flame.format == FlameOptions::Format::Functions) {
        if (const auto done = writeTable(options, *samples, output); !done)
            return failWith(done.error());
    } else {
        writeGraph(options, profile, names, output);
    }
    output.flush();
    report(options, limitsOf(profile, names, *opened.timeline));
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened.hasProblems ? ExitInput : ExitDone;
}

std::vector<std::string_view> formats(const OptionTexts&) { return {"text", "table", "csv", "json", "folded", "svg", "speedscope"}; }

void addOptions(OptionList& options, OptionTexts& texts)
{
    addTraces(options, texts);
    addReading(options, texts);
    addSelection(options, texts, SampleFilterHelp);
    addCallTree(options, texts);
    options.value("--title", texts.title, "TEXT", "svg: its title");
    options.value("--width", texts.pixels, "N", "svg: as wide as so many pixels");
    options.value("--colors", texts.colors, "W", "svg: by module, code (kernel and user) or heat (time in itself)");
    options.flag("--table", texts.isTable, "A line a function, like perf report");
    options.value("--group", texts.group, "W", "A line of the table for each function, module, file, line, thread or process");
    options.repeated("--with", texts.with, "EVENT",
                     "Columns of another event in the table, and its ratio to this one: --event cycles --with instructions");
    addInlining(options, texts);
}

} // namespace

extern const Command flameCommand;
const Command flameCommand{90,         "flame", "Where time goes: call stacks of samples added up, as a tree, a table or a flame graph",
                           addOptions, formats, missingTrace,
                           run};

} // namespace helio
