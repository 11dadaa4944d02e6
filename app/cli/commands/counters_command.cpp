#include "app/cli/command.h"
#include "app/cli/commands/counter_lines.h"
#include "app/cli/commands/counter_ratios.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/selection/option_reading.h"
#include "core/counters/ratios.h"

namespace helio {
namespace {

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
