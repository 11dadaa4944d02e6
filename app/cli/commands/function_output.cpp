#include "app/cli/commands/function_output.h"

#include "core/base/utf8.h"
#include "core/profiling/samples/amount_text.h"
#include "core/profiling/samples/function_groups.h"

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
    how.byThread = how.tree.base == Base::Thread || how.tree.base == Base::Process;
    how.byCpu = how.tree.base == Base::Cpu;
    return groupedBy(options.group, how);
}

FunctionTable tableOf(const FlameOptions& options, WeightBy by, const StackProfile& profile, const StackNames& names,
                      const Timeline& timeline)
{
    return buildGroupedTable(options.group, profile, names, timeline, tableOptions(options, by));
}

/// Reasons why functions have no names, printed once below the table.
class Footnotes {
public:
    /// Returns the mark of a problem, for example " [1]"; empty if there is no problem.
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

/// Samples of another event, by table line.
struct OtherEvent {
    std::string name;
    std::vector<LineCost> costs;
};

/// Ratio of `other` to `own`, for example "0.71"; an empty cell if `own` is 0.
Cell ratioOf(std::uint64_t other, std::uint64_t own)
{
    const double ratio = own ? double(other) / double(own) : 0;
    return own ? Cell::real(ratio, fmt::format("{:.4g}", ratio)) : Cell();
}

/// Columns and cells of the function table.
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
        std::vector<std::string> columns{"self %", "total %", "comm"};
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

    /// Columns of CSV and JSON, the same for each group; processes have one more column.
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
        std::vector<Cell> cells{share(row.self), share(row.total), row.comm};
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

/// Returns the samples of another event for the lines of `table`.
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

} // namespace

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

} // namespace helio
