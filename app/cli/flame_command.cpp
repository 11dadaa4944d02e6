#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/sample_selection.h"
#include "app/cli/table_writer.h"
#include "core/query/call_tree_text.h"
#include "core/query/facts.h"
#include "core/query/function_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {
namespace {

std::string percent(std::uint64_t part, std::uint64_t whole) { return fmt::format("{:.2f}", whole ? 100.0 * double(part) / double(whole) : 0.0); }

Cell count(std::uint64_t number) { return Cell::integer(static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX))); }

void writeFunctions(const CommandOptions& options, const StackProfile& profile, const StackNames& names, TableWriter& table)
{
    FunctionTableOptions how;
    how.tree = options.flame.tree;
    how.by = options.flame.tree.by;
    how.byThread = options.flame.tree.base == CallTreeOptions::Base::Thread || options.flame.tree.base == CallTreeOptions::Base::Process;
    how.byCpu = options.flame.tree.base == CallTreeOptions::Base::Cpu;
    const bool isText = options.format == OutputFormat::Text;
    const FunctionTable functions = buildFunctionTable(profile, names, how);
    for (const FunctionRow& row : functions.rows) {
        const SampledFunction& function = functions.functions[static_cast<std::size_t>(row.function)];
        std::vector<Cell> cells;
        if (isText)
            cells = {percent(amount(row.self, how.by), amount(functions.whole, how.by)),
                     percent(amount(row.total, how.by), amount(functions.whole, how.by))};
        for (Cell& cell : std::vector<Cell>{row.comm, Cell::id(row.tid), Cell::id(row.cpu), row.module, function.label() + (isText && function.isInlined ? " (inlined)" : ""),
                                            count(row.self.samples), count(row.total.samples), count(row.self.weight), count(row.total.weight),
                                            function.problem})
            cells.push_back(std::move(cell));
        if (!isText)
            cells.push_back(Cell::integer(function.isInlined));
        table.row(cells);
    }
}

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
            cells = {Cell::integer(index), Cell::integer(node.parent), Cell::integer(node.depth), function.label(), function.module,
                     count(node.own.samples), count(node.total.samples), count(node.own.weight), count(node.total.weight), node.first,
                     Cell::integer(node.isInlined)};
        table.row(cells);
        addChildren(index);
    }
}

void writeTable(const CommandOptions& options, const StackProfile& profile, const StackNames& names, TimeStyle times, Output& output)
{
    const bool isText = options.format == OutputFormat::Text;
    if (options.flame.format == FlameOptions::Format::Functions) {
        std::vector<std::string> columns{"comm", "tid", "cpu", "module", "function", "self_samples", "total_samples", "self_weight", "total_weight", "problem"};
        if (isText)
            columns.insert(columns.begin(), {"self %", "total %"});
        else
            columns.push_back("inlined");
        TableWriter table(output, options.format, std::move(columns), times);
        return writeFunctions(options, profile, names, table);
    }
    const CallTree tree = buildCallTree(profile, names, options.flame.tree);
    std::vector<std::string> columns{"total %", "self %", "function", "module"};
    if (!isText)
        columns = {"node", "parent", "depth", "function", "module", "self_samples", "total_samples", "self_weight", "total_weight", "first_ns", "inlined"};
    TableWriter table(output, options.format, std::move(columns), times);
    writeTree(options, tree, table);
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
    const std::string name = options.traces.front().filename().string();
    switch (options.flame.format) {
    case FlameOptions::Format::Folded: return writeFolded(tree, by, write);
    case FlameOptions::Format::Speedscope: return writeSpeedscope(tree, by, name, write);
    default: break;
    }
    SvgOptions svg;
    svg.title = name + ": " + profile.kind.name;
    svg.subtitle = fmt::format("{} samples", profile.samples);
    svg.isIcicle = options.flame.isIcicle || options.flame.tree.shape == CallTreeOptions::Shape::Inverted;
    writeSvg(tree, by, svg, write);
}

} // namespace

int runFlame(const CommandOptions& asked)
{
    const auto samples = selectSamples(asked);
    if (!samples)
        return failWith(samples.error());
    const auto& [opened, profile, names, kinds] = *samples;
    const CommandOptions options = weighted(asked, profile.kind);
    Output output;
    if (options.flame.format == FlameOptions::Format::Tree || options.flame.format == FlameOptions::Format::Functions)
        writeTable(options, profile, names, TimeStyle(hasEpoch(*opened.timeline)), output);
    else
        writeGraph(options, profile, names, output);
    output.flush();
    tell(options, limitsOf(profile, names, *opened.timeline));
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened.hasProblems ? ExitInput : ExitDone;
}

} // namespace helio
