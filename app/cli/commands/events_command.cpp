#include "app/cli/command.h"
#include "app/cli/output/event_printer.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/event_selection.h"
#include "app/cli/selection/table_options.h"
#include "app/cli/selection/unmatched_options.h"
#include "core/query/events/event_counts.h"
#include "core/query/events/event_words.h"
#include "core/query/events/events.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"

#include <fmt/format.h>
#include <iterator>

namespace helio {
namespace {

struct EventsOptions {
    TableOptions table{"events"};
    bool count = false; ///< True to print only the number of events.
    bool byType = false; ///< True to print only the number of events of each type.

    void addTo(OptionList& options)
    {
        table.addTo(options, "Only matching events, for example: name == \"sched_switch\" && prev_tid != 0");
        options.ignored("--view");
        options.flag("--count", count, "Print only the number of events");
        options.flag("--by-type", byType, "Print only the number of events by type and host");
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read() { return table.read(); }
};

/// Reports anomalies found while reading events. Anomalies known from an index were already reported when the traces were opened.
void reportDamages(const EventsOptions& options, const Timeline& timeline, const EventCursor& cursor)
{
    for (std::uint32_t trace = 0; trace < timeline.traces.size() && !options.table.reading.isQuiet; ++trace) {
        if (const auto& facts = timeline.traces[trace].facts; facts && facts->isComplete())
            continue;
        for (const Message& damage : damagesOf(timeline, trace, cursor.diagnostics(trace)))
            if (damage.severity != Diagnostic::Severity::Info)
                warn(damage.text);
    }
}

/// Prints the number of selected events of each type, the most frequent first.
int runEventTypes(const EventsOptions& options, const OpenedExperiment& opened, EventSelection& selection)
{
    const Timeline& timeline = *opened.timeline;
    EventTypeCounter counter(timeline);
    std::uint64_t all = 0;
    EventCursor cursor(opened.timeline, opened.window);
    while (cursor.next())
        if (selection.selects(cursor.trace(), cursor.event(), cursor.time())) {
            counter.add(cursor.trace(), static_cast<std::uint32_t>(cursor.event().record->type), cursor.event().cpu());
            ++all;
        }
    Output output;
    {
        TableWriter table(output, options.table.format.output, {"name", "host", "count", "share"}, TimeStyle(hasEpoch(timeline)));
        for (const EventTypeCount& it : counter.counts())
            table.row({it.name, it.host < timeline.hosts.size() ? Cell(timeline.hosts[it.host].label) : Cell(),
                       Cell::integer(static_cast<std::int64_t>(it.count)),
                       Cell::real(double(it.count) / double(all), fmt::format("{:.6f}", double(it.count) / double(all)))});
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    reportDamages(options, timeline, cursor);
    if (const auto named = all == 0 ? checkThreadNames(options.table.selection, timeline) : Status(Done{}); !named)
        return failWith(named.error());
    return opened.hasProblems ? ExitInput : ExitDone;
}

int run(const EventsOptions& options)
{
    const SelectionOptions& asked = options.table.selection;
    if (asked.filter && asked.filter->needsDurations())
        return failWith({Error::Kind::Usage,
                         "--filter: state and duration apply to states, not to events (for an event field of this name use "
                         "fields.state); use heliograph states --filter"});
    const auto opened = openExperiment(options.table.traces, options.table.reading, asked, {.needsStates = needsStates(asked), .side = {}});
    if (!opened)
        return failWith(opened.error());
    const Timeline& timeline = *opened->timeline;
    if (asked.filter && !options.table.reading.isQuiet)
        for (const std::string& word : findMeaninglessWords(*asked.filter, timeline))
            warn("--filter: " + word);
    EventSelection selection(asked, timeline);
    EventCursor cursor(opened->timeline, opened->window);
    Output output;
    std::uint64_t count = 0;
    if (options.byType)
        return runEventTypes(options, *opened, selection);
    if (options.count) {
        while (cursor.next())
            count += selection.selects(cursor.trace(), cursor.event(), cursor.time());
        fmt::format_to(std::back_inserter(output.buffer()), "{}\n", count);
    } else {
        EventPrinter printer(output, options.table.format.output, timeline);
        while (!output.hasFailed() && cursor.next())
            if (selection.selects(cursor.trace(), cursor.event(), cursor.time())) {
                printer.print(cursor.trace(), cursor.time(), cursor.event());
                ++count;
            }
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    reportDamages(options, timeline, cursor);
    if (const auto named = count == 0 ? checkThreadNames(asked, timeline) : Status(Done{}); !named)
        return failWith(named.error());
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command eventsCommand;
const Command eventsCommand{30, "events", "Print events in time order", callOf<EventsOptions, run>,
                            R"(heliograph events TRACE --begin +1s --end +1.1s --cpu 2
heliograph events TRACE --filter 'name == "sched_switch" && next_comm =~ "^worker"'
heliograph events TRACE --by-type
)"};

} // namespace helio
