#include "app/cli/commands.h"
#include "app/cli/event_printer.h"
#include "app/cli/event_selection.h"
#include "core/query/event_words.h"
#include "core/query/events.h"

#include <fmt/format.h>
#include <iterator>

namespace helio {

int runEvents(const CommandOptions& options)
{
    if (options.filter && options.filter->asksOfStates())
        return failWith({Error::Kind::Usage, "--filter: state and duration are of states, not of events (a field of that name is fields.state); "
                                             "heliograph states --filter knows them"});
    const auto opened = openExperiment(options, needsStates(options));
    if (!opened)
        return failWith(opened.error());
    const Timeline& timeline = *opened->timeline;
    if (options.filter && !options.isQuiet)
        for (const std::string& word : meaninglessWords(*options.filter, timeline))
            complain("--filter: " + word);
    EventSelection selection(options, timeline);
    EventCursor cursor(opened->timeline, opened->window.begin);
    Output output;
    std::uint64_t count = 0;
    if (options.count) {
        while (cursor.next() && cursor.time() < opened->window.end)
            count += selection.selects(cursor.trace(), cursor.event(), cursor.time());
        fmt::format_to(std::back_inserter(output.buffer()), "{}\n", count);
    } else {
        EventPrinter printer(output, options.format, timeline);
        while (!output.hasFailed() && cursor.next() && cursor.time() < opened->window.end)
            if (selection.selects(cursor.trace(), cursor.event(), cursor.time()))
                printer.print(cursor.trace(), cursor.time(), cursor.event());
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace helio
