#include "app/cli/command.h"
#include "app/cli/commands/counter_lines.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/selection/option_list.h"
#include "core/counters/formula.h"
#include "core/counters/ratios.h"
#include "core/counters/state_counts.h"
#include "core/query/rows/row_lookup.h"

#include <algorithm>

namespace helio {

namespace {

/// Returns the beginning of the first step that overlaps the time range, which begins at `begin`. Steps are counted from the time
/// `from`, so that two traces with the same `from` have steps at the same times.
Timestamp firstStep(Timestamp from, Timestamp begin, Duration step) { return from < begin ? begin - (begin - from) % step : from; }

Cell realCell(double value) { return Cell::real(value, valueText(CounterNumber::Real, CounterValue::fromReal(value))); }

/// Writes the values of a formula for each selected row that has all counters of the formula: one line for each step of `window`, or one
/// line for the whole time range. At the beginning and the end of the recording, a step covers only the time in which all counters of the
/// row have values. Steps without a value are omitted.
void writeRatios(const CountersOptions& options, const CounterFormula& formula, const Timeline& timeline,
                 std::span<const std::string> views, TimeRange window, TableWriter& table)
{
    const RowSelection selection(options.table.selection, timeline);
    for (const RatioRow& row : ratioRows(timeline, views, formula)) {
        const ViewSeries& first = row.series.front();
        const TimeRange range = row.known.clippedTo(window);
        if (range.isEmpty() || !selection.selects(first, row.place))
            continue;
        const Cell trace = traceCell(timeline, first.ref.store, first.trace);
        const Cell name = first.track.isValid() ? Cell(nameOf(timeline, rowOf(timeline, first), options.table.format.output)) : Cell("");
        const auto write = [&](Timestamp at, TimeRange of) {
            if (const auto value = computeRatio(timeline, formula, row, of))
                table.row({at, trace, name, formula.text(), realCell(*value)});
        };
        if (!options.step) {
            write(range.begin, range);
            continue;
        }
        const Timestamp from = options.table.selection.begin ? window.begin : timeline.range.begin;
        for (Timestamp at = firstStep(from, range.begin, *options.step); at < range.end;) {
            const Duration left = range.end - at;
            const TimeRange step{at, *options.step < left ? at + *options.step : range.end};
            write(at, step.clippedTo(range));
            at = step.end;
        }
    }
}

/// Returns the columns of the table that writeByState() fills.
std::vector<std::string> stateColumns(const CounterFormula& formula)
{
    std::vector<std::string> columns{"trace", "row", "state", "duration_ns"};
    columns.insert(columns.end(), formula.names().begin(), formula.names().end());
    if (formula.names().size() > 1 || formula.text() != formula.names().front())
        columns.push_back(formula.text());
    return columns;
}

/// Writes a line for each state of each selected thread: the growth of the formula's CPU counters in that state, and the formula's value.
void writeByState(const CountersOptions& options, const CounterFormula& formula, const Timeline& timeline,
                  std::span<const std::string> views, TimeRange window, TableWriter& table)
{
    const RowSelection selection(options.table.selection, timeline);
    const std::size_t columns = stateColumns(formula).size();
    for (const StateCounts& it : computeStateCounts(timeline, ratioRows(timeline, views, formula), window)) {
        const auto row = rowOf(timeline, it.row);
        if (!row || !selection.selects(*row))
            continue;
        std::vector<Cell> cells{traceCell(timeline, *row), nameOf(timeline, *row, options.table.format.output),
                                stateName(timeline, it.row, it.state), it.time};
        for (const double counted : it.counted)
            cells.push_back(realCell(counted));
        if (cells.size() < columns) {
            const auto value = formula.value(it.counted);
            cells.push_back(value ? realCell(*value) : Cell());
        }
        table.row(cells);
    }
}

int run(const CountersOptions& options)
{
    if (const auto done = checkRowFilter(options.table.selection); !done)
        return failWith(done.error());
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        if (options.isByState)
            writeByState(options, *options.ratio, *opened.timeline, views, opened.window, table);
        else if (options.ratio)
            writeRatios(options, *options.ratio, *opened.timeline, views, opened.window, table);
        else
            writeCounters(options, *opened.timeline, views, opened.window, table);
    };
    const auto check = [&](const OpenedExperiment& opened, const std::vector<std::string>& views) -> Status {
        const std::string unknown = options.ratio ? unknownNamesMessage(*opened.timeline, views, *options.ratio) : std::string();
        return unknown.empty() ? Status(Done{}) : makeUsageError("--ratio", unknown);
    };
    return runTable(options.table, options.isByState ? stateColumns(*options.ratio) : CounterColumnNames, fill, check,
                    TrackView::Shape::Curves);
}

} // namespace

extern const Command countersCommand;
const Command countersCommand{75,
                              "counters",
                              "Print counters over time",
                              callOf<CountersOptions, run>,
                              R"(heliograph counters TRACE --view disk-throughput --step 10ms
heliograph counters TRACE --view cpu-counters --ratio 'instructions / cycles' --by-state
)",
                              R"(With --step, --ratio prints a line for each step, else one line for the whole range.
)"};

} // namespace helio
