#include "app/cli/command.h"
#include "app/cli/commands/counter_lines.h"
#include "app/cli/commands/run_table.h"

namespace helio {
namespace {

int run(const CommandOptions& options)
{
    if (const auto done = checkRowFilter(options); !done)
        return failWith(done.error());
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        writeCounters(options, *opened.timeline, views, opened.window, table);
    };
    return runTable(options, CounterColumnNames, fill, {}, TrackView::Shape::Curves);
}

void addOptions(OptionList& options, OptionTexts& texts)
{
    addTraces(options, texts);
    addReading(options, texts);
    addSelection(options, texts, RowFilterHelp);
    addView(options, texts, "One of counters (heliograph views)");
    options.value("--step", texts.step, "D", "Values at even steps, as 10ms, and not at each change");
}

} // namespace

extern const Command countersCommand;
const Command countersCommand{75, "counters", "Values over time", addOptions, tableFormats, missingTraceOrView, run};

} // namespace helio
