#include "app/cli/command.h"
#include "app/cli/output/redirection.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/table_options.h"
#include "core/profiling/export/call_tree_text.h"
#include "core/query/filters/time_text.h"
#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/rows.h"
#include "core/timesync/link_times.h"
#include "core/waits/path/explain_wait.h"
#include "core/waits/path/path_causes.h"
#include "core/waits/path/path_stacks.h"
#include "core/waits/requests/requests.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace helio {
namespace {

struct CriticalPathOptions {
    TableOptions table{"critical-path"};
    bool isSummary = false;
    PathGrouping by = PathGrouping::Cause; ///< Grouping of the sums that the command prints: by cause, thread or host.
    bool isFolded = false;
    std::optional<TimeText> why;
    unsigned longest = 0; ///< Number of the longest path segments to print; 0 to print all segments, in time order.
    std::string requests; ///< Id of the interval kind whose intervals are the requests; empty if the path of one thread is printed.
    std::string name; ///< Name of the requests to select, e.g. of a function.

    void addTo(OptionList& options)
    {
        table.addTo(options, nullptr);
        options.flag("--summary", isSummary, "Print sums by cause instead of each segment");
        options.value("--by", m_by, "G", "Sum by cause, thread or host (default: cause)");
        options.value("--longest", longest, "N", "Print the N longest segments, longest first: what to speed up");
        options.flag("--folded", isFolded, "Print folded stacks; each level shows what the level above waited for");
        options.value("--why", m_why, "T", "Explain the wait at time T, one step a line");
        options.value("--requests", requests, "KIND", "Print each segment of this kind (call, syscall, ...) with its time by cause");
        options.value("--name", name, "N", "With --requests: only segments with this name");
        table.format.addTo(options);
    }
    std::string missing() const
    {
        const std::string missing = table.missing();
        return !missing.empty()                                                           ? missing
            : table.selection.thread || !table.selection.row.empty() || !requests.empty() ? ""
                                                                                          : "--thread TID is missing";
    }
    Status read()
    {
        return table.read([this] { return readOwn(); });
    }

private:
    Status readOwn()
    {
        const SelectionOptions& selection = table.selection;
        if (selection.filter || selection.cpu || !selection.process.empty())
            return makeUsageError(selection.filter    ? "--filter"
                                      : selection.cpu ? "--cpu"
                                                      : "--process",
                                  "a path belongs to one thread; select it with --thread and --host, or with --row");
        if (!requests.empty() && (isSummary || !m_why.empty() || selection.thread || !selection.row.empty() || !selection.host.empty()))
            return makeUsageError("--requests",
                                  "covers all threads and cannot be combined with --summary or --why; narrow it with --name, --begin "
                                  "and --end");
        if (isFolded && (isSummary || !m_why.empty() || !requests.empty()))
            return makeUsageError("--folded", "cannot be combined with --summary, --why or --requests");
        constexpr std::string_view Groups[]{"cause", "thread", "host"};
        const auto* const group = std::ranges::find(Groups, m_by.empty() ? Groups[0] : std::string_view(m_by));
        if (group == std::end(Groups))
            return makeUsageError("--by", "expected cause, thread or host");
        if (!m_by.empty() && !isSummary)
            return makeUsageError("--by", "only valid with --summary");
        by = PathGrouping(group - Groups);
        if (longest > 0 && (isSummary || isFolded || !m_why.empty() || !requests.empty()))
            return makeUsageError("--longest", "cannot be combined with --summary, --folded, --why or --requests");
        if (!name.empty() && requests.empty())
            return makeUsageError("--name", "only valid with --requests");
        if (m_why.empty())
            return Done{};
        if (isSummary)
            return makeUsageError("--why", "cannot be combined with --summary");
        const auto time = parseTime(m_why);
        if (!time)
            return makeUsageError("--why", time.error().what);
        why = *time;
        return Done{};
    }

    std::string m_why;
    std::string m_by;
};

/// Returns the row of the selected thread.
/// Errors: several rows match; the message says how to choose one.
Result<Row> chosenThread(const CriticalPathOptions& options, const OpenedExperiment& opened)
{
    const Timeline& timeline = *opened.timeline;
    const RowSelection selection(options.table.selection, timeline);
    std::vector<Row> found = selection.rowsOf(findViewWithRole(timeline, TrackRole::Thread));
    std::erase_if(found, [](const Row& row) { return row.role != TrackRole::Thread; });
    const std::string asked =
        options.table.selection.thread ? "thread " + std::to_string(*options.table.selection.thread) : "row " + options.table.selection.row;
    if (found.empty())
        return Error{Error::Kind::Usage, "--thread: there is no " + asked + " here"};
    const auto isOther = [&](const Row& row) { return row.host != found.front().host; };
    std::string names;
    for (const Row& row : found)
        names += (names.empty() ? "" : ", ") + row.id + " " + row.label + " on " + timeline.hosts[row.host].shownName();
    if (std::ranges::any_of(found, isOther))
        return Error{Error::Kind::Usage, "--host: " + asked + " is on several hosts: " + names};
    if (found.size() > 1) { // Several threads had this TID one after the other. Choose the one that existed in the time range.
        std::vector<Row> inside;
        const Timestamp at = options.why ? resolve(*options.why, timeline.range.begin) : Timestamp();
        std::ranges::copy_if(found, std::back_inserter(inside),
                             [&](const Row& row) { return options.why ? row.life.contains(at) : row.life.overlaps(opened.window); });
        if (inside.size() != 1)
            return Error{Error::Kind::Usage, "--row: " + asked + " matches several: " + names + "; select one with --row ID"};
        return inside.front();
    }
    return found.front();
}

TimeRange windowOf(const CriticalPathOptions& options, const OpenedExperiment& opened, const Row& thread)
{
    return {options.table.selection.begin ? opened.window.begin : thread.life.begin,
            options.table.selection.end ? opened.window.end : thread.life.end};
}

/// Returns the segments to print: the `longest` longest segments, longest first; all in time order if `longest` is 0.
std::vector<PathSegment> listed(std::vector<PathSegment> all, unsigned longest)
{
    if (longest == 0)
        return all;
    std::ranges::stable_sort(all, std::greater(), [](const PathSegment& it) { return it.range.duration(); });
    all.resize(std::min<std::size_t>(all.size(), longest));
    return all;
}

void fillList(const Timeline& timeline, const CriticalPath& path, unsigned longest, TableWriter& table)
{
    std::map<TrackRef, Row> rows;
    for (const PathSegment& it : listed(path.segments, longest)) {
        Row& row = rows[it.row];
        if (row.id.empty())
            row = rowOf(timeline, it.row).value_or(Row());
        table.row({it.range.begin, it.range.end, Cell::integer(row.trace), row.id, Cell::id(row.tid), Cell::id(it.cpu),
                   std::string(wordOf(it.kind)), path.detailOf(it)});
    }
}

void fillSummary(const Timeline& timeline, const CriticalPath& path, PathGrouping by, TimeRange range, TableWriter& table)
{
    for (const PathCause& it : causesOf(timeline, path, by))
        table.row({by == PathGrouping::Thread     ? "thread"
                       : by == PathGrouping::Host ? "host"
                                                  : std::string(wordOf(it.kind)),
                   it.detail, Cell::count(it.count), it.total,
                   fmt::format("{:.4f}", double(it.total.count()) / double(range.duration().count()))});
}

/// Writes the steps of a wait; each step is followed by the steps that explain it, one level deeper.
void fillWhy(const Why& why, TableWriter& table)
{
    for (const WaitStep& it : why.steps)
        table.row({it.range.begin, it.range.duration(), Cell::integer(it.depth), std::string(wordOf(it.kind)),
                   std::string(2 * std::min<std::size_t>(it.depth, 20), ' ') + it.words, it.event,
                   it.event.empty() ? Cell() : Cell(it.eventAt), it.event.empty() ? Cell() : Cell::integer(it.trace),
                   it.error == UnknownError ? Cell() : Cell(it.error)});
}

std::vector<std::string> columnsOf(const CriticalPathOptions& options)
{
    if (options.why)
        return {"begin_ns", "duration_ns", "depth", "kind", "words", "event", "event_ns", "trace", "error_ns"};
    if (options.isSummary)
        return {"kind", "detail", "count", "total_ns", "share"};
    return {"begin_ns", "end_ns", "trace", "row", "tid", "cpu", "kind", "detail"};
}

/// Prints one line per request, with a column for each kind of path segment.
int runRequests(const CriticalPathOptions& options, const OpenedExperiment& opened, const Timeline& timeline)
{
    const auto kinds = requestKinds(timeline);
    if (std::ranges::find(kinds, options.requests, &RequestKind::id) == kinds.end()) {
        std::string there;
        for (const RequestKind& kind : kinds)
            there += (there.empty() ? "" : ", ") + kind.id;
        return failWith({Error::Kind::Usage,
                         "--requests: there is no kind \"" + options.requests + "\" here; "
                             + (there.empty() ? "there is none" : "there are: " + there)});
    }
    std::vector<std::string> columns{"begin_ns", "duration_ns", "trace", "row", "tid", "name"};
    for (std::size_t kind = 0; kind < PathKinds; ++kind)
        columns.push_back(std::string(wordOf(PathKind(kind))) + "_ns");
    Output output;
    std::uint64_t count = 0;
    {
        TableWriter table(output, options.table.format.output, columns, TimeStyle(hasEpoch(timeline)));
        RequestSelection choice;
        if (!options.name.empty())
            choice.accepts = [&](const std::string& name, TrackRef, TimeRange) { return name == options.name; };
        const auto print = [&](RequestPath&& it) {
            const Row row = rowOf(timeline, it.thread).value_or(Row());
            std::vector<Cell> cells{it.range.begin, it.range.duration(), Cell::integer(row.trace), row.id, Cell::id(row.tid), it.name};
            for (const Duration part : it.parts)
                cells.emplace_back(part);
            table.row(cells);
            ++count;
        };
        forEachRequestPath(timeline, options.requests, choice, opened.window, print, commandStop());
    }
    output.flush();
    if (count == 0 && !options.table.reading.isQuiet)
        warn("no such interval in the range on a thread with known states");
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened.hasProblems ? ExitInput : ExitDone;
}

int run(const CriticalPathOptions& options)
{
    OpeningOptions opening;
    if (!options.requests.empty())
        opening.wanted = {options.requests};
    auto opened = openExperiment(options.table.traces, options.table.reading, options.table.selection, opening);
    if (!opened)
        return failWith(opened.error());
    if (!options.requests.empty()) {
        const auto made = withRowsOfStates(opened->timeline, {}, commandStop());
        return made ? runRequests(options, *opened, **made) : failWith(made.error());
    }
    const auto thread = chosenThread(options, *opened);
    if (!thread)
        return failWith(thread.error());
    auto with = withRowsOfStates(opened->timeline, {}, commandStop());
    if (!with)
        return failWith(with.error());
    const std::shared_ptr<const Timeline> timeline = std::move(*with);
    const TimeRange range = windowOf(options, *opened, *thread);
    Output output;
    CriticalPath path;
    std::string conclusion;
    if (options.isFolded) {
        path = criticalPath(*timeline, thread->ref, range, commandStop());
        writeFolded(pathTree(*timeline, path, commandStop()), WeightBy::Weight, [&](std::string_view text) {
            output.buffer() += text;
            output.flushIfFull();
            return true;
        });
    } else {
        TableWriter table(output, options.table.format.output, columnsOf(options), TimeStyle(hasEpoch(*timeline)));
        if (options.why) {
            Why why = explainWait(timeline, thread->ref, resolve(*options.why, timeline->range.begin), commandStop());
            fillWhy(why, table);
            conclusion =
                why.conclusion.empty() ? "the thread was not waiting then, or its state is unknown" : thread->label + ": " + why.conclusion;
            path = std::move(why.path);
        } else {
            path = criticalPath(*timeline, thread->ref, range, commandStop());
            options.isSummary ? fillSummary(*timeline, path, options.by, range, table) : fillList(*timeline, path, options.longest, table);
        }
    }
    output.flush();
    if (!options.table.reading.isQuiet) {
        if (!conclusion.empty())
            warn(conclusion);
        for (const std::string& limit : path.limits)
            warn(limit);
    }
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command criticalPathCommand;
const Command criticalPathCommand{78, "critical-path", "Print the critical path of a thread across threads, devices and hosts",
                                  callOf<CriticalPathOptions, run>,
                                  R"(heliograph critical-path TRACE --thread 1234 --summary
heliograph critical-path TRACE --thread 1234 --why +1.25s
heliograph critical-path TRACE --requests syscall --name fsync
)"};

} // namespace helio
