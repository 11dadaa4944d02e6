#include "app/cli/command.h"
#include "app/cli/commands/counter_lines.h"
#include "app/cli/commands/run_table.h"

namespace helio {
namespace {

int run(const CountersOptions& options)
{
    if (const auto done = checkRowFilter(options.table.selection); !done)
        return failWith(done.error());
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        writeCounters(options, *opened.timeline, views, opened.window, table);
    };
    return runTable(options.table, CounterColumnNames, fill, {}, TrackView::Shape::Curves);
}

} // namespace

extern const Command countersCommand;
const Command countersCommand{75, "counters", "Values over time", callOf<CountersOptions, run>};

} // namespace helio
