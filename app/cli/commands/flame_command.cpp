#include "app/cli/command.h"
#include "app/cli/commands/flame_options.h"
#include "app/cli/output/output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/sample_selection.h"
#include "app/cli/selection/unmatched_options.h"
#include "core/base/utf8.h"
#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/export/speedscope.h"
#include "core/profiling/samples/amount_text.h"
#include "core/profiling/samples/function_groups.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "widgets/flame/view/flame_svg.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {

namespace {

FunctionTableOptions tableOptions(const FlameOptions& options, WeightBy by)
{
    using Base = CallTreeOptions::Base;
    FunctionTableOptions how;
    how.tree = options.tree.by(by);
    how.by = by;
    how.byTotal = options.samples.isSortedByTotal();
    how.byComm = how.tree.base != Base::None;
    how.byThread = how.tree.base == Base::Thread || how.tree.base == Base::Process;
    how.byCpu = how.tree.base == Base::Cpu;
    return groupedBy(options.group, how);
}

FunctionTable tableOf(const FlameOptions& options, WeightBy by, const StackProfile& profile, const StackNames& names,
                      const Timeline& timeline)
{
    return buildGroupedTable(options.group, profile, names, timeline, tableOptions(options, by));
}

/// Footnotes of the table: reasons why functions have no names, printed once below it.
class Footnotes {
public:
    /// Returns the reference to the footnote of a problem, for example " [1]"; empty if there is no problem.
    std::string markOf(const std::string& problem)
    {
        if (problem.empty())
            return {};
        const auto place = std::ranges::find(m_problems, problem) - m_problems.begin();
        if (static_cast<std::size_t>(place) == m_problems.size())
            m_problems.push_back(problem);
        return fmt::format(" [{}]", place + 1);
    }

    std::string text() const
    {
        std::string text = m_problems.empty() ? "" : "\n";
        for (std::size_t i = 0; i < m_problems.size(); ++i) {
            text += fmt::format("[{}] ", i + 1);
            appendPrintable(text, m_problems[i]);
            text += '\n';
        }
        return text;
    }

private:
    std::vector<std::string> m_problems;
};

/// An event other than the selected event: its name, and its costs in each line of the table.
struct OtherEvent {
    std::string name;
    std::vector<LineCost> costs;
};

/// Returns the cell with another event's cost, `other`, divided by the selected event's cost, `own`, for example "0.71"; an empty cell if
/// `own` is 0.
Cell ratioOf(std::uint64_t other, std::uint64_t own)
{
    const double ratio = own ? double(other) / double(own) : 0;
    return own ? Cell::real(ratio, fmt::format("{:.4g}", ratio)) : Cell();
}

/// Builds the columns and cells of the function table.
class FunctionOutput {
public:
    FunctionOutput(const FlameOptions& options, const SampleKind& kind, WeightBy by, const FunctionTable& table,
                   std::vector<OtherEvent> others)
        : m_kind(kind)
        , m_how(tableOptions(options, by))
        , m_isText(options.table.format.output == OutputFormat::Text)
        , m_group(options.group)
        , m_table(table)
        , m_others(std::move(others))
    {
    }

    std::vector<std::string> columns() const
    {
        std::vector<std::string> columns = m_isText ? textColumns() : allColumns();
        for (const OtherEvent& other : m_others)
            for (const char* column : {"self_", "total_", "self_ratio_", "total_ratio_"})
                columns.push_back(column + other.name);
        return columns;
    }

    std::vector<Cell> cells(std::size_t line)
    {
        const FunctionRow& row = m_table.rows[line];
        const SampledFunction& function = m_table.functions[static_cast<std::size_t>(row.function)];
        std::vector<Cell> cells = m_isText ? textCells(row, function) : allCells(row, function);
        for (const OtherEvent& other : m_others) {
            const auto& [self, total] = other.costs[line];
            for (Cell& cell : std::vector<Cell>{Cell::count(self.weight), Cell::count(total.weight), ratioOf(self.weight, row.self.weight),
                                                ratioOf(total.weight, row.total.weight)})
                cells.push_back(std::move(cell));
        }
        return cells;
    }

    std::string footnotes() const { return m_notes.text(); }

private:
    std::vector<std::string> textColumns() const
    {
        std::vector<std::string> columns{"self %", "total %"};
        if (m_how.byComm)
            columns.emplace_back("comm");
        if (m_how.byProcess)
            columns.emplace_back("pid");
        if (m_how.byThread)
            columns.emplace_back("tid");
        if (m_how.byCpu)
            columns.emplace_back("cpu");
        if (m_how.byModule)
            columns.emplace_back("module");
        if (m_how.bySymbol)
            columns.emplace_back(m_group == FunctionGroup::File ? "file" : m_group == FunctionGroup::Line ? "line" : "function");
        const std::string counted(samplesWord(m_kind));
        columns.insert(columns.end(), {"self_" + counted, "total_" + counted, "self_weight", "total_weight"});
        return columns;
    }

    /// Returns the columns for CSV and JSON, the same for each grouping; groups by process have one more column.
    std::vector<std::string> allColumns() const
    {
        std::vector<std::string> columns{"comm",          "tid",         "cpu",          "module",  "function", "self_samples",
                                         "total_samples", "self_weight", "total_weight", "problem", "inlined"};
        if (m_how.byProcess)
            columns.insert(columns.begin() + 1, "pid");
        return columns;
    }

    std::vector<Cell> allCells(const FunctionRow& row, const SampledFunction& function) const
    {
        std::vector<Cell> cells{row.comm,
                                Cell::id(row.tid),
                                Cell::id(row.cpu),
                                row.module,
                                m_how.bySymbol ? function.label() : std::string(),
                                countCell(row.self.samples, m_kind),
                                countCell(row.total.samples, m_kind),
                                countCell(row.self.weight, m_kind),
                                countCell(row.total.weight, m_kind),
                                m_how.bySymbol ? function.problem : std::string(),
                                Cell::integer(m_how.bySymbol && function.isInlined)};
        if (m_how.byProcess)
            cells.insert(cells.begin() + 1, Cell::id(row.pid));
        return cells;
    }

    std::vector<Cell> textCells(const FunctionRow& row, const SampledFunction& function)
    {
        const auto share = [&](const SampleSum& sum) { return percentText(amount(sum, m_how.by), amount(m_table.whole, m_how.by)); };
        std::vector<Cell> cells{share(row.self), share(row.total)};
        if (m_how.byComm)
            cells.emplace_back(row.comm);
        if (m_how.byProcess)
            cells.push_back(Cell::id(row.pid));
        if (m_how.byThread)
            cells.push_back(Cell::id(row.tid));
        if (m_how.byCpu)
            cells.push_back(Cell::id(row.cpu));
        if (m_how.byModule)
            cells.emplace_back(row.module);
        if (m_how.bySymbol)
            cells.emplace_back(function.label() + (function.isInlined ? " (inlined)" : "") + m_notes.markOf(function.problem));
        for (const std::uint64_t number : {row.self.samples, row.total.samples, row.self.weight, row.total.weight})
            cells.push_back(countCell(number, m_kind));
        return cells;
    }

    const SampleKind& m_kind;
    FunctionTableOptions m_how;
    bool m_isText;
    FunctionGroup m_group;
    const FunctionTable& m_table;
    std::vector<OtherEvent> m_others;
    Footnotes m_notes;
};

/// Returns the costs (samples or their weight) of another event for each line of the table.
Result<OtherEvent> otherEvent(const FlameOptions& options, WeightBy by, const std::string& event, const OpenedExperiment& opened,
                              const FunctionTable& table)
{
    const auto kind = findSampleKind(sampleKinds(*opened.timeline), event);
    if (!kind)
        return Error{kind.error().kind, "--with" + kind.error().what.substr(kind.error().what.find(':'))};
    const StackProfile profile = collectStacks(*opened.timeline, sampleFilterOf(options.table.selection, opened, *kind));
    const StackNames names = nameStacks(profile, *opened.timeline, {options.samples.expandsInlined});
    return OtherEvent{event, matchingLineCosts(table, tableOf(options, by, profile, names, *opened.timeline))};
}

/// Writes the table of `flame --table`: one line for each function, module, file, source line or thread. If the options name other events,
/// adds columns for them and for their ratios to the selected event.
Status writeFunctions(const FlameOptions& options, const SelectedSamples& samples, TimeStyle times, Output& output)
{
    const Timeline& timeline = *samples.opened.timeline;
    const WeightBy by = options.samples.weightOf(samples.profile.kind);
    const FunctionTable functions = tableOf(options, by, samples.profile, samples.names, timeline);
    std::vector<OtherEvent> others;
    for (const std::string& event : options.with) {
        auto other = otherEvent(options, by, event, samples.opened, functions);
        if (!other)
            return other.error();
        others.push_back(std::move(*other));
    }
    FunctionOutput out(options, samples.profile.kind, by, functions, std::move(others));
    {
        TableWriter table(output, options.table.format.output, out.columns(), times);
        for (std::size_t line = 0; line < functions.rows.size(); ++line)
            table.row(out.cells(line));
    }
    output.buffer() += out.footnotes();
    return Done{};
}

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
    // Name the weight and its total above the percentages. Percentages of the number of samples need no heading.
    if (isText && by == WeightBy::Weight)
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

/// Writes the samples of the chosen event in speedscope's format; of all events one after the other, if none is chosen.
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
        return failWith({Error::Kind::Usage, "--by: --format speedscope always uses the whole duration of calls"});
    if (callKind && (!options.tree.tree.focus.empty() || options.tree.tree.shape != CallTreeOptions::Shape::TopDown))
        return failWith({Error::Kind::Usage, "--format speedscope: --focus, --inverted, --callers and --callees need samples, not calls"});
    SpeedscopeOptions speedscope;
    if (!isOfCalls)
        speedscope.kinds = speedscopeKinds(timeline, options.samples.event.empty() ? std::nullopt : std::optional(*chosen));
    speedscope.calls = callKind;
    speedscope.filterOf = [&](const SampleKind& kind) { return sampleFilterOf(options.table.selection, *opened, kind); };
    speedscope.by = options.samples.by;
    speedscope.tree = options.tree.by(options.samples.by.value_or(WeightBy::Samples));
    speedscope.expandsInlined = options.samples.expandsInlined;
    speedscope.name = options.table.traces.front().filename().string();
    const SpeedscopeRecording recording = collectSpeedscope(timeline, speedscope);
    if (const Status named = recording.hasSamples() ? Status(Done{}) : checkThreadNames(options.table.selection, timeline); !named)
        return failWith(named.error());
    Output output;
    const TextSink write = [&](std::string_view text) {
        output.buffer() += text;
        output.flushIfFull();
        return !output.hasFailed();
    };
    writeSpeedscope(recording, speedscope, write);
    output.flush();
    for (const auto& [profile, names] : recording.samples)
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
