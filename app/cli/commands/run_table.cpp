#include "app/cli/commands/run_table.h"

#include "app/cli/command.h"
#include "app/cli/output/field_output.h"
#include "app/cli/selection/requested_analyses.h"
#include "app/cli/selection/unmatched_options.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"

#include <map>

namespace helio {
namespace {

bool isOfCounters(const Timeline& timeline, const std::string& view)
{
    return viewDescription(timeline, view).shape == TrackView::Shape::Curves;
}

/// Prints why a view has no rows (or no series, if `isOfSeries`). An empty view is not an error.
void reportWhatIsMissing(const RowTableOptions& options, const Timeline& timeline, bool isOfSeries)
{
    if (options.reading.isQuiet || options.view.empty()
        || (isOfSeries ? !viewSeries(timeline, options.view).empty() : !rows(timeline, options.view).empty()))
        return;
    if (!isOfSeries && isOfCounters(timeline, options.view))
        return warn("the view " + options.view + " has counters instead of rows; use heliograph counters");
    warn("the view " + options.view + " has no " + (isOfSeries ? "series" : "rows") + " here");
    std::map<std::string, std::vector<std::uint32_t>> lacks; // Traces, keyed by the description of the events that they lack.
    for (const ViewMissingEvents& it : findMissingEvents(timeline, options.view))
        lacks[it.need->consequence + it.need->advice().suffix()].push_back(it.trace);
    for (const auto& [text, traces] : lacks)
        warn(traces.size() == 1 ? timeline.traces[traces.front()].trace->info().path.string() + ": " + text : text);
    if (lacks.empty())
        warn(noRowsReason(timeline, options.view));
}

} // namespace

Status checkFilterOfRows(const SelectionOptions& options)
{
    const std::string field = options.filter ? options.filter->firstFieldName() : std::string();
    return field.empty()
        ? Status(Done{})
        : Status(Error{Error::Kind::Usage,
                       "--filter: \"" + field
                           + "\" can only be used with events; other commands accept name, thread, cpu, time, tid, pid, host, "
                             "state and duration"});
}

std::string labelOf(const Timeline& timeline, const Row& row, OutputFormat format)
{
    const bool isForPeople = format == OutputFormat::Text;
    if (const std::string title = isForPeople ? rowTitle(timeline, row.ref) : std::string(); !title.empty())
        return title;
    const std::string host = isForPeople && !hasNoHost(timeline, row.ref) ? hostName(timeline, row.host) : std::string();
    return host.empty() ? row.label : row.label + " on " + host;
}

Cell traceCell(const Timeline& timeline, const Row& row) { return hasNoHost(timeline, row.ref) ? Cell() : Cell::integer(row.trace); }

Cell traceCell(const Timeline& timeline, StoreIndex store, std::uint32_t trace)
{
    return isOfAllTraces(timeline, store) ? Cell() : Cell::integer(trace);
}

std::string nameOf(const Timeline& timeline, const Row& row, OutputFormat format)
{
    return format != OutputFormat::Text || row.label.empty() || row.label == row.id ? row.id
                                                                                    : row.id + ' ' + labelOf(timeline, row, format);
}

int runTable(const RowTableOptions& options, std::vector<std::string> columns, const FillTable& fill, const CheckTable& check,
             std::optional<TrackView::Shape> shape)
{
    return runTable(
        options, [&columns](const OpenedExperiment&) { return columns; }, fill, check, shape);
}

int runTable(const RowTableOptions& options, const TableColumns& columns, const FillTable& fill, const CheckTable& check,
             std::optional<TrackView::Shape> shape)
{
    if (const auto done = options.mayHaveFields ? Status(Done{}) : checkFilterOfRows(options.selection); !done)
        return failWith(done.error());
    OpeningOptions opening;
    opening.wanted = {options.view, options.neededIntervalKind};
    auto opened = openExperiment(options.traces, options.reading, options.selection, opening);
    if (!opened)
        return failWith(opened.error());
    if (const auto done =
            options.neededIntervalKind.empty() || options.needsCorrelatedRows ? addCorrelatedRows(*opened, options.view) : Status(Done{});
        !done)
        return failWith(done.error());
    const auto views = findRequestedViews(options.view, *opened->timeline, shape, [&] {
        return findRequestableAnalyses(options.traces, options.reading, *opened->timeline, options.view).views;
    });
    if (!views)
        return failWith(views.error());
    if (const auto done = check ? check(*opened, *views) : Status(Done{}); !done)
        return failWith(done.error());
    for (const std::string& view : *views)
        readFrameNames(*opened->timeline, view);
    Output output;
    bool isEmpty = false;
    {
        TableWriter table(output, options.format.output, columns(*opened), TimeStyle(hasEpoch(*opened->timeline)));
        fill(*opened, *views, table);
        isEmpty = !table.hasRows();
    }
    output.flush();
    if (const auto named = isEmpty ? checkThreadNames(options.selection, *opened->timeline) : Status(Done{}); !named)
        return failWith(named.error());
    reportWhatIsMissing(options, *opened->timeline, shape == TrackView::Shape::Curves);
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace helio
