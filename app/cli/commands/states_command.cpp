#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/output/redirection.h"
#include "core/query/rows/state_text.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <map>

namespace helio {
namespace {

struct StatesOptions {
    RowTableOptions table{"states"};
    bool isSummary = false; ///< True to print sums of durations by state and row instead of intervals.

    void addTo(OptionList& options)
    {
        table.addTo(options, IntervalFilterHelp);
        options.flag("--summary", isSummary, "Print counts and total durations by state and row");
        table.format.addTo(options);
    }
    std::string missing() const { return table.missingTraceOrView(); }
    Status read() { return table.read(); }
};

/// Prints the durations of intervals summed up by state and row. The sums are equal to the sums in the window's search for states.
int runStateSummary(const StatesOptions& options)
{
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options.table.selection, timeline);
        StateSums sums;
        std::map<TrackRef, Row> found;
        for (const std::string& view : views)
            for (const Row& row : selection.rowsOf(view)) {
                if (!row.ref.isValid())
                    continue;
                found[row.ref] = row;
                RowFacts facts = selection.factsOf(row);
                const auto add = [&](const Interval& interval) {
                    if (selection.selects(facts, interval))
                        sums.add(row.ref, stateText(timeline, row.ref, interval).state, interval.range.duration());
                };
                forEachRowInterval(timeline, row, opened.window, add, commandStop());
            }
        for (const StateGroup& group : sums.groups()) {
            const StateDurations& it = group.durations;
            const auto orNone = [](const std::optional<Duration>& d) { return d ? Cell(*d) : Cell(); };
            const Row row = group.track.isValid() ? found[group.track] : Row();
            const bool isRow = group.track.isValid();
            table.row({group.state, isRow ? traceCell(timeline, row) : Cell(), isRow ? Cell(row.id) : Cell(),
                       isRow ? Cell(row.label) : Cell(), Cell::id(row.tid), Cell::integer(static_cast<std::int64_t>(it.count)), it.total,
                       it.min, it.mean(), orNone(it.p50), orNone(it.p99), it.max});
        }
    };
    return runTable(options.table,
                    {"state", "trace", "row", "label", "tid", "count", "total_ns", "min_ns", "mean_ns", "p50_ns", "p99_ns", "max_ns"},
                    fill);
}

int run(const StatesOptions& options)
{
    if (options.isSummary)
        return runStateSummary(options);
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options.table.selection, timeline);
        for (const std::string& view : views)
            for (const Row& row : selection.rowsOf(view)) {
                if (!row.ref.isValid())
                    continue;
                RowFacts facts = selection.factsOf(row);
                const std::string name = nameOf(timeline, row, options.table.format.output);
                const auto print = [&](const Interval& interval) {
                    if (!selection.selects(facts, interval))
                        return;
                    const StateText text = stateText(timeline, row.ref, interval);
                    table.row({traceCell(timeline, row), name, Cell::id(row.tid), Cell::id(row.cpu), interval.range.begin,
                               interval.range.end, text.state, text.detail});
                };
                forEachRowInterval(timeline, row, opened.window, print, commandStop());
            }
    };
    return runTable(options.table, {"trace", "row", "tid", "cpu", "begin_ns", "end_ns", "state", "detail"}, fill);
}

} // namespace

extern const Command statesCommand;
const Command statesCommand{50, "states", "Print the state intervals of each row", callOf<StatesOptions, run>,
                            R"(heliograph states TRACE --view control-flow --thread 1234 --format csv
heliograph states TRACE --view resources --cpu 0 --summary
)"};

} // namespace helio
