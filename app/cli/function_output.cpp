#include "app/cli/function_output.h"

#include "core/query/function_table.h"
#include "core/query/source_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace helio {
namespace {

using Group = FlameOptions::Group;

std::string percent(std::uint64_t part, std::uint64_t whole) { return fmt::format("{:.2f}", whole ? 100.0 * double(part) / double(whole) : 0.0); }

Cell count(std::uint64_t number) { return Cell::integer(static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX))); }

FunctionTableOptions tableOptions(const CommandOptions& options)
{
    using Base = CallTreeOptions::Base;
    FunctionTableOptions how;
    how.tree = options.flame.tree;
    how.by = options.flame.tree.by;
    how.byThread = options.flame.group == Group::Thread || how.tree.base == Base::Thread || how.tree.base == Base::Process;
    how.byCpu = how.tree.base == Base::Cpu;
    how.bySymbol = options.flame.group != Group::Module && options.flame.group != Group::Thread;
    how.byModule = options.flame.group != Group::Thread;
    return how;
}

FunctionTable tableOf(const CommandOptions& options, const StackProfile& profile, const StackNames& names, const Timeline& timeline)
{
    const bool isOfSource = options.flame.group == Group::File || options.flame.group == Group::Line;
    if (!isOfSource)
        return buildFunctionTable(profile, names, tableOptions(options));
    const StackNames sources = namedBySource(profile, names, timeline, options.flame.group == Group::Line);
    return buildFunctionTable(profile, sources, tableOptions(options));
}

/// Why functions have no names: said once, below the table.
class Footnotes {
public:
    /// " [1]"; nothing where all is well.
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
            appendPlain(text, m_problems[i]);
            text += '\n';
        }
        return text;
    }

private:
    std::vector<std::string> m_problems;
};

/// What a row is of, in any event's table.
using RowName = std::tuple<std::string, std::int32_t, std::int32_t, std::string, std::string>;

RowName nameOf(const FunctionTable& table, const FunctionRow& row)
{
    return {row.comm, row.tid, row.cpu, row.module, table.functions[static_cast<std::size_t>(row.function)].label()};
}

/// The samples of another event, by what their rows are of.
struct OtherEvent {
    std::string name;
    std::map<RowName, FunctionRow> rows;
};

/// "0.71": B for each of A. Empty without any A.
Cell ratioOf(std::uint64_t other, std::uint64_t own)
{
    const double ratio = own ? double(other) / double(own) : 0;
    return own ? Cell::real(ratio, fmt::format("{:.4g}", ratio)) : Cell();
}

/// Columns and cells of the table.
class FunctionOutput {
public:
    FunctionOutput(const CommandOptions& options, const FunctionTable& table, std::vector<OtherEvent> others)
        : m_how(tableOptions(options))
        , m_isText(options.format == OutputFormat::Text)
        , m_group(options.flame.group)
        , m_table(table)
        , m_others(std::move(others))
    {
    }

    std::vector<std::string> columns() const
    {
        std::vector<std::string> columns = m_isText ? textColumns()
                                                    : std::vector<std::string>{"comm", "tid", "cpu", "module", "function", "self_samples", "total_samples",
                                                                               "self_weight", "total_weight", "problem", "inlined"};
        for (const OtherEvent& other : m_others)
            for (const char* column : {"self_", "total_", "self_ratio_", "total_ratio_"})
                columns.push_back(column + other.name);
        return columns;
    }

    std::vector<Cell> cells(const FunctionRow& row)
    {
        const SampledFunction& function = m_table.functions[static_cast<std::size_t>(row.function)];
        std::vector<Cell> cells = m_isText ? textCells(row, function) : allCells(row, function);
        for (const OtherEvent& other : m_others) {
            const auto found = other.rows.find(nameOf(m_table, row));
            const FunctionRow none;
            const FunctionRow& same = found == other.rows.end() ? none : found->second;
            for (Cell& cell : std::vector<Cell>{count(same.self.weight), count(same.total.weight), ratioOf(same.self.weight, row.self.weight),
                                                ratioOf(same.total.weight, row.total.weight)})
                cells.push_back(std::move(cell));
        }
        return cells;
    }

    std::string footnotes() const { return m_notes.text(); }

private:
    std::vector<std::string> textColumns() const
    {
        std::vector<std::string> columns{"self %", "total %", "comm"};
        if (m_how.byThread)
            columns.emplace_back("tid");
        if (m_how.byCpu)
            columns.emplace_back("cpu");
        if (m_how.byModule)
            columns.emplace_back("module");
        if (m_how.bySymbol)
            columns.emplace_back(m_group == Group::File ? "file" : m_group == Group::Line ? "line" : "function");
        columns.insert(columns.end(), {"self_samples", "total_samples", "self_weight", "total_weight"});
        return columns;
    }

    std::vector<Cell> allCells(const FunctionRow& row, const SampledFunction& function) const
    {
        return {row.comm, Cell::id(row.tid), Cell::id(row.cpu), row.module, m_how.bySymbol ? function.label() : std::string(),
                count(row.self.samples), count(row.total.samples), count(row.self.weight), count(row.total.weight),
                m_how.bySymbol ? function.problem : std::string(), Cell::integer(m_how.bySymbol && function.isInlined)};
    }

    std::vector<Cell> textCells(const FunctionRow& row, const SampledFunction& function)
    {
        const auto share = [&](const SampleSum& sum) { return percent(amount(sum, m_how.by), amount(m_table.whole, m_how.by)); };
        std::vector<Cell> cells{share(row.self), share(row.total), row.comm};
        if (m_how.byThread)
            cells.push_back(Cell::id(row.tid));
        if (m_how.byCpu)
            cells.push_back(Cell::id(row.cpu));
        if (m_how.byModule)
            cells.emplace_back(row.module);
        if (m_how.bySymbol)
            cells.emplace_back(function.label() + (function.isInlined ? " (inlined)" : "") + m_notes.markOf(function.problem));
        for (const std::uint64_t number : {row.self.samples, row.total.samples, row.self.weight, row.total.weight})
            cells.push_back(count(number));
        return cells;
    }

    FunctionTableOptions m_how;
    bool m_isText;
    Group m_group;
    const FunctionTable& m_table;
    std::vector<OtherEvent> m_others;
    Footnotes m_notes;
};

Result<OtherEvent> otherEvent(const CommandOptions& options, const std::string& event, const OpenedExperiment& opened)
{
    const auto kind = chosenKind(sampleKinds(*opened.timeline), event);
    if (!kind)
        return Error{kind.error().kind, "--with" + kind.error().what.substr(kind.error().what.find(':'))};
    const StackProfile profile = collectStacks(*opened.timeline, sampleFilterOf(options, opened, *kind));
    const StackNames names = nameStacks(profile, *opened.timeline, {options.flame.expandsInlined});
    const FunctionTable table = tableOf(options, profile, names, *opened.timeline);
    OtherEvent other{event, {}};
    for (const FunctionRow& row : table.rows) // Functions of one name and module in several traces add up.
        if (const auto [place, isNew] = other.rows.emplace(nameOf(table, row), row); !isNew) {
            place->second.self += row.self;
            place->second.total += row.total;
        }
    return other;
}

} // namespace

Status writeFunctions(const CommandOptions& options, const SelectedSamples& samples, TimeStyle times, Output& output)
{
    const Timeline& timeline = *samples.opened.timeline;
    std::vector<OtherEvent> others;
    for (const std::string& event : options.flame.with) {
        auto other = otherEvent(options, event, samples.opened);
        if (!other)
            return other.error();
        others.push_back(std::move(*other));
    }
    const FunctionTable functions = tableOf(options, samples.profile, samples.names, timeline);
    FunctionOutput out(options, functions, std::move(others));
    {
        TableWriter table(output, options.format, out.columns(), times);
        for (const FunctionRow& row : functions.rows)
            table.row(out.cells(row));
    }
    output.buffer() += out.footnotes();
    return Done{};
}

} // namespace helio
