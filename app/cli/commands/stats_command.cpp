#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "core/query/rows/interval_walk.h"
#include "core/query/rows/state_text.h"
#include "core/query/rows/statistics.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

struct StatsOptions {
    RowTableOptions table{"stats"};

    void addTo(OptionList& options)
    {
        table.addTo(options, IntervalFilterHelp);
        table.format.addTo(options);
    }
    std::string missing() const { return table.missingTraceOrView(); }
    Status read() { return table.read(); }
};

/// A state of a row, by what it is called, with its sums.
struct NamedTotal {
    std::string state;
    StateTotal sum;
};

/// Whether intervals are called as their values say.
bool isNamedByValues(const Timeline& timeline, const Row& row)
{
    return std::ranges::any_of(statesOf(timeline, row.ref).states,
                               [](const StateKind& state) { return state.style.has(StateFlag::NamedByValue); });
}

/// By state, of the row's intervals that the filter passes.
std::vector<NamedTotal> selectedTotals(const Timeline& timeline, const Row& row, TimeRange range, const RowSelection& selection)
{
    std::vector<NamedTotal> all;
    const bool isNamed = isNamedByValues(timeline, row);
    if (!selection.isOfIntervals(row) && !isNamed && !runsApart(timeline, row.ref)) {
        for (const StateTotal& total : totals(timeline, row.ref, range))
            all.push_back({std::string(stateName(timeline, row.ref, total.state)), total});
        return all;
    }
    std::map<std::pair<State, std::string>, StateTotal> sums;
    RowFacts facts = selection.factsOf(row);
    eachInterval(timeline, row, range, [&](const Interval& interval) {
        if (!selection.selects(facts, interval))
            return;
        StateTotal& sum = sums[{interval.state, isNamed ? stateText(timeline, row.ref, interval).state : std::string()}];
        const Duration duration = interval.range.duration();
        sum.state = interval.state;
        sum.min = sum.count == 0 ? duration : std::min(sum.min, duration);
        sum.max = std::max(sum.max, duration);
        sum.total += duration;
        ++sum.count;
    });
    for (const auto& [key, sum] : sums)
        all.push_back({isNamed ? key.second : std::string(stateName(timeline, row.ref, key.first)), sum});
    return all;
}

int run(const StatsOptions& options)
{
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options.table.selection, timeline);
        for (const std::string& view : views)
            for (const Row& row : selection.rowsOf(view)) {
                // Clock values may lie near the ends of what 64 bits hold: cut to the row's life before they are shifted.
                const TimeRange range = row.life.clippedTo(opened.window);
                if (!row.ref.isValid() || range.isEmpty())
                    continue;
                for (const auto& [state, total] : selectedTotals(timeline, row, range, selection))
                    if (total.count > 0)
                        table.row({traceCell(timeline, row), row.id, labelOf(timeline, row, options.table.format.output), Cell::id(row.tid),
                                   Cell::id(row.cpu), state, Cell::integer(static_cast<std::int64_t>(total.count)), total.total, total.min,
                                   meanOf(total.total, total.count), total.max});
            }
    };
    return runTable(options.table, {"trace", "row", "label", "tid", "cpu", "state", "count", "total_ns", "min_ns", "mean_ns", "max_ns"},
                    fill);
}

} // namespace

extern const Command statsCommand;
const Command statsCommand{60, "stats", "Per row and state: count, total, min, mean and max duration", callOf<StatsOptions, run>};

} // namespace helio
