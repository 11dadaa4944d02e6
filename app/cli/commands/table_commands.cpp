#include "app/cli/commands/table_commands.h"

#include "app/cli/commands/commands.h"
#include "app/cli/output/field_output.h"
#include "core/query/rows/arrow_walk.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/interval_walk.h"
#include "core/query/rows/statistics.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

/// A view without rows is no error, but a person wants to know why.
void tellWhatIsMissing(const CommandOptions& options, const Timeline& timeline)
{
    if (options.isQuiet || options.view.empty() || !rows(timeline, options.view).empty())
        return;
    complain("the view " + options.view + " has no rows here");
    for (const TimelineTrace& t : timeline.traces)
        for (const Requirement& need : t.missing)
            if (need.view == options.view && need.isEssential)
                complain(t.trace->info().path.string() + ": " + need.consequence
                         + (need.command.empty() ? "" : "; record more with: " + need.command));
}

/// With the host, for people, where there are several: names and TIDs are alike on all of them.
std::string labelOf(const Timeline& timeline, const Row& row, OutputFormat format)
{
    const std::string host = format == OutputFormat::Text ? hostName(timeline, row.host) : std::string();
    return host.empty() ? row.label : row.label + " on " + host;
}

/// A row's id; for people with its label.
std::string nameOf(const Timeline& timeline, const Row& row, OutputFormat format)
{
    return format != OutputFormat::Text || row.label.empty() || row.label == row.id ? row.id
                                                                                    : row.id + ' ' + labelOf(timeline, row, format);
}

/// Of a wake-up: where and in which interrupt it happened, the CPU that the event names, and where the thread then ran, as far as known:
/// "cpu=0;context=NET_RX;target_cpu=1;ran_on=2".
std::string linkDetail(const Arrow& arrow)
{
    if (arrow.kind != LinkKind::Wakeup)
        return arrow.detail;
    std::string detail = "cpu=" + std::to_string(arrow.cpu);
    if (!arrow.detail.empty())
        appendEscaped(detail += ";context=", arrow.detail);
    if (arrow.targetCpu != NoCpu)
        detail += ";target_cpu=" + std::to_string(arrow.targetCpu);
    if (arrow.ranOn != NoCpu)
        detail += ";ran_on=" + std::to_string(arrow.ranOn);
    return detail;
}

} // namespace

int runTable(const CommandOptions& options, std::vector<std::string> columns,
             const std::function<void(const OpenedExperiment&, const std::vector<std::string>&, TableWriter&)>& fill)
{
    const auto opened = openExperiment(options);
    if (!opened)
        return failWith(opened.error());
    const auto views = chosenViews(options, *opened->timeline);
    if (!views)
        return failWith(views.error());
    Output output;
    {
        TableWriter table(output, options.format, std::move(columns), TimeStyle(hasEpoch(*opened->timeline)));
        fill(*opened, *views, table);
    }
    output.flush();
    tellWhatIsMissing(options, *opened->timeline);
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

int runTracks(const CommandOptions& options)
{
    if (const auto done = checkRowFilter(options); !done)
        return failWith(done.error());
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options, timeline);
        for (const std::string& view : views) {
            const auto all = rows(timeline, view);
            for (const Row& row : all) {
                if (!selection.selects(row) || (row.ref.isValid() && !row.life.overlaps(opened.window)))
                    continue;
                const bool isGroup = !row.ref.isValid();
                const std::string parent = row.parent >= 0 ? all[static_cast<std::size_t>(row.parent)].id : std::string();
                const std::string host = row.host < timeline.hosts.size() ? timeline.hosts[row.host].name : std::string();
                table.row({view, row.id, parent.empty() ? Cell() : Cell(parent), row.kind, row.label, host,
                           isGroup ? Cell() : Cell::integer(row.ref.trace), Cell::id(row.pid), Cell::id(row.tid), Cell::id(row.cpu),
                           isGroup ? Cell() : Cell(row.life.begin), isGroup ? Cell() : Cell(row.life.end)});
            }
        }
    };
    return runTable(options, {"view", "id", "parent", "kind", "label", "host", "trace", "pid", "tid", "cpu", "begin_ns", "end_ns"}, fill);
}

namespace {

/// How long the states lasted, by state and row: what the window says of a search over states.
int runStateSummary(const CommandOptions& options)
{
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options, timeline);
        StateSums sums;
        std::map<TrackRef, Row> found;
        for (const std::string& view : views)
            for (const Row& row : selection.rowsOf(view)) {
                if (!row.ref.isValid())
                    continue;
                found[row.ref] = row;
                RowFacts facts = selection.factsOf(row);
                eachInterval(timeline, row, opened.window, [&](const Interval& interval) {
                    if (selection.selects(facts, interval))
                        sums.add(row.ref, stateName(timeline, row.ref, interval.state), interval.range.duration());
                });
            }
        for (const StateGroup& group : sums.groups()) {
            const DurationSummary& it = group.durations;
            const auto orNone = [](const std::optional<Duration>& d) { return d ? Cell(*d) : Cell(); };
            const Row row = group.track.isValid() ? found[group.track] : Row();
            const bool isRow = group.track.isValid();
            table.row({group.state, isRow ? Cell::integer(row.ref.trace) : Cell(), isRow ? Cell(row.id) : Cell(),
                       isRow ? Cell(row.label) : Cell(), Cell::id(row.tid), Cell::integer(static_cast<std::int64_t>(it.count)), it.total,
                       it.min, it.mean(), orNone(it.p50), orNone(it.p99), it.max});
        }
    };
    return runTable(
        options, {"state", "trace", "row", "label", "tid", "count", "total_ns", "min_ns", "mean_ns", "p50_ns", "p99_ns", "max_ns"}, fill);
}

} // namespace

int runStates(const CommandOptions& options)
{
    if (options.isSummary)
        return runStateSummary(options);
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options, timeline);
        for (const std::string& view : views)
            for (const Row& row : selection.rowsOf(view)) {
                if (!row.ref.isValid())
                    continue;
                RowFacts facts = selection.factsOf(row);
                const std::string name = nameOf(timeline, row, options.format);
                eachInterval(timeline, row, opened.window, [&](const Interval& interval) {
                    if (selection.selects(facts, interval))
                        table.row({Cell::integer(row.ref.trace), name, Cell::id(row.tid), Cell::id(row.cpu), interval.range.begin,
                                   interval.range.end, stateName(timeline, row.ref, interval.state),
                                   valueText(timeline, row.ref, interval.value)});
                });
            }
    };
    return runTable(options, {"trace", "row", "tid", "cpu", "begin_ns", "end_ns", "state", "detail"}, fill);
}

namespace {

/// By state, of the row's intervals that the filter passes.
std::vector<StateTotal> selectedTotals(const Timeline& timeline, const Row& row, TimeRange range, const RowSelection& selection)
{
    if (!selection.isOfIntervals())
        return totals(timeline, row.ref, range);
    std::map<State, StateTotal> sums;
    RowFacts facts = selection.factsOf(row);
    eachInterval(timeline, row, range, [&](const Interval& interval) {
        if (!selection.selects(facts, interval))
            return;
        StateTotal& sum = sums[interval.state];
        const Duration duration = interval.range.duration();
        sum.state = interval.state;
        sum.min = sum.count == 0 ? duration : std::min(sum.min, duration);
        sum.max = std::max(sum.max, duration);
        sum.total += duration;
        ++sum.count;
    });
    std::vector<StateTotal> all;
    for (const auto& [state, sum] : sums)
        all.push_back(sum);
    return all;
}

} // namespace

int runStats(const CommandOptions& options)
{
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options, timeline);
        for (const std::string& view : views)
            for (const Row& row : selection.rowsOf(view)) {
                // Clock values may lie near the ends of what 64 bits hold: cut to the row's life before they are shifted.
                const TimeRange range = row.life.clippedTo(opened.window);
                if (!row.ref.isValid() || range.isEmpty())
                    continue;
                for (const StateTotal& total : selectedTotals(timeline, row, range, selection))
                    if (total.count > 0)
                        table.row({Cell::integer(row.ref.trace), row.id, labelOf(timeline, row, options.format), Cell::id(row.tid),
                                   Cell::id(row.cpu), stateName(timeline, row.ref, total.state),
                                   Cell::integer(static_cast<std::int64_t>(total.count)), total.total, total.min,
                                   meanOf(total.total, total.count), total.max});
            }
    };
    return runTable(options, {"trace", "row", "label", "tid", "cpu", "state", "count", "total_ns", "min_ns", "mean_ns", "max_ns"}, fill);
}

int runLinks(const CommandOptions& options)
{
    if (const auto done = checkRowFilter(options); !done)
        return failWith(done.error());
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options, timeline);
        // Wide enough for all, and still far from where adding a clock's offset would overflow.
        const TimeRange window = TimeRange{timeline.range.begin, timeline.range.end + Duration(1)}.clippedTo(opened.window);
        for (const std::string& view : views) {
            std::map<TrackRef, std::string> known; // Every row's name; those selected have it in `chosen` too.
            for (const Row& row : rows(timeline, view))
                known[row.ref] = nameOf(timeline, row, options.format);
            std::map<TrackRef, bool> chosen;
            for (const Row& row : selection.rowsOf(view))
                if (row.ref.isValid()) // A group's would stand for all arrows that come from nowhere.
                    chosen[row.ref] = true;
            // No row of this view: a CPU whose interrupt woke a thread.
            const auto trace = [&](TrackRef ref) { return known.contains(ref) ? Cell::integer(ref.trace) : Cell(); };
            const auto id = [&](TrackRef ref) { return known.contains(ref) ? Cell(known[ref]) : Cell(); };
            if (window.isEmpty())
                continue;
            for (ArrowWalk walk(timeline, linkKindsIn(view), window); walk.next();) {
                const Arrow arrow = walk.arrow();
                if (chosen.contains(arrow.from) || chosen.contains(arrow.to))
                    table.row({linkName(arrow.kind), trace(arrow.from), id(arrow.from), arrow.fromTime, trace(arrow.to), id(arrow.to),
                               arrow.toTime, linkDetail(arrow)});
            }
        }
    };
    return runTable(options, {"kind", "from_trace", "from_row", "from_ns", "to_trace", "to_row", "to_ns", "detail"}, fill);
}

} // namespace helio
