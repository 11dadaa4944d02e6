#include "app/cli/selection/open_experiment.h"

#include "app/cli/command.h"
#include "app/cli/output/output.h"
#include "app/cli/output/progress_line.h"
#include "app/cli/output/redirection.h"
#include "app/cli/selection/kept_experiments.h"
#include "app/cli/selection/requested_analyses.h"
#include "app/cli/selection/trace_options.h"
#include "core/base/no_room.h"
#include "core/experiment/host_alignment.h"
#include "core/query/events/events.h"
#include "core/query/related/related.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/recording_groups.h"
#include "core/timesync/clock_changes.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {
namespace {

/// Returns the line with the progress of indexing.
std::string progressText(const Experiment& experiment)
{
    const Progress now = experiment.progress();
    const double share = now.bytesTotal ? std::min(1.0, double(now.bytesDone) / double(now.bytesTotal)) : 0;
    return fmt::format("indexing {:3.0f} %  {:.1f} M events", share * 100, double(now.events) / 1e6);
}

bool hasErrors(const Timeline& timeline)
{
    return std::ranges::any_of(timeline.diagnostics, [](const Diagnostic& it) { return it.severity == Diagnostic::Severity::Error; });
}

/// Kind of messages about files of a trace that could not be read at all, so that its events are missing.
constexpr std::string_view UnreadableFile = "unreadable-file";

/// True if the traces have events that this run could not read, while another one may.
bool lacksEvents(const Timeline& timeline)
{
    return std::ranges::any_of(damages(timeline),
                               [](const Message& damage) { return damage.kind == UnreadableFile || damage.kind == NoRoom; });
}

/// Prints the problems of reading the traces.
void reportProblems(const Timeline& timeline, bool isQuiet, const std::string& side)
{
    for (const Diagnostic& problem : timeline.diagnostics) {
        const bool isError = problem.severity == Diagnostic::Severity::Error;
        if (isError || (problem.severity == Diagnostic::Severity::Warning && !isQuiet))
            warn(side + (problem.file.empty() ? problem.what : problem.file + ": " + problem.what)
                 + (problem.kind == UnsynchronizedClocks ? ". Use --offset TRACE=NS or --sync FILE" : ""));
    }
    for (const Message& damage : damages(timeline))
        if (damage.severity != Diagnostic::Severity::Info && (!isQuiet || damage.kind == UnreadableFile))
            warn(side + damage.text);
    if (isQuiet)
        return;
    for (const Message& missing : missingRecordings(timeline))
        warn(side + missing.text);
    if (const std::string apart = apartText(timeline); !apart.empty())
        warn(side + apart);
}

bool needsBegin(const SelectionOptions& selection)
{
    return selection.begin || selection.end || (selection.filter && selection.filter->needsBegin());
}

/// Returns the timeline with its beginning set to the time of the first event. The time is read from the events, because there is no index.
std::shared_ptr<const Timeline> withFirstEventTime(const std::shared_ptr<const Timeline>& timeline)
{
    EventCursor cursor(timeline, Timestamp::min());
    auto result = std::make_shared<Timeline>(*timeline);
    if (cursor.next())
        result->range.begin = cursor.time();
    return result;
}

Result<TimeRange> windowOf(const SelectionOptions& selection, const std::shared_ptr<const Timeline>& timeline)
{
    TimeRange window{Timestamp::min(), Timestamp::max()};
    if (!selection.begin && !selection.end)
        return window;
    const Timestamp first = timeline->range.begin;
    if (selection.begin)
        window.begin = resolve(*selection.begin, first);
    if (selection.end)
        window.end = resolve(*selection.end, first);
    if (window.end < window.begin)
        return Error{Error::Kind::Usage, "--end is before --begin"};
    return window;
}

Status checkOffsets(const ReadingOptions& reading, const Timeline& timeline)
{
    for (const auto& [name, offset] : reading.experiment.offsets) {
        const auto isMeant = [&](const TimelineTrace& t) {
            const TraceInfo& info = t.trace->info();
            return info.name == name || info.path == name || std::filesystem::path(name).lexically_normal() == info.path;
        };
        if (std::any_of(timeline.traces.begin(), timeline.traces.end(), isMeant))
            continue;
        std::string names;
        for (const TimelineTrace& t : timeline.traces)
            names += (names.empty() ? "" : ", ") + t.trace->info().name + " (" + t.trace->info().path.string() + ")";
        return Error{Error::Kind::Usage, "--offset: no trace is named \"" + name + "\"; there are: " + names};
    }
    return Done{};
}

std::string namesOfHosts(const Timeline& timeline)
{
    std::string names;
    for (const TimelineHost& host : timeline.hosts)
        names += (names.empty() ? "" : ", ") + host.label;
    return names;
}

Error noHost(const char* option, const std::string& name, const Timeline& timeline)
{
    return {Error::Kind::Usage, std::string(option) + ": no host is named \"" + name + "\"; there are: " + namesOfHosts(timeline)};
}

/// If the reference host of a --sync file is not open, converts the clocks of the open hosts to the clock of one of these hosts.
Status applyClocksOfOpenHosts(const ReadingOptions& reading, Experiment& experiment)
{
    const auto timeline = experiment.timeline();
    const ClockSettings& clocks = reading.experiment.clocks;
    if (clocks.reference.empty() || reading.hasReference() || findHostByName(*timeline, clocks.reference))
        return Done{};
    auto here = onAvailableClock(*timeline, clocks);
    if (!here)
        return noHost("--sync", clocks.reference, *timeline);
    if (!reading.isQuiet)
        warn("--sync: the file's reference " + clocks.reference + " is not open; "
             + (here->reference.empty() ? "its clocks are ignored" : "all times use the clock of " + here->reference));
    experiment.setClocks(std::move(*here));
    return Done{};
}

/// Checks the host names of --reference, --sync and --host, because a mistyped name would only show as an empty selection or as clocks that
/// are not aligned. With `wereChecked`, names in the --sync file were checked before and are not reported again.
Status checkHosts(const ReadingOptions& reading, const SelectionOptions& selection, const Timeline& timeline, bool wereChecked)
{
    const ClockSettings& clocks = reading.experiment.clocks;
    if (reading.hasReference() && !findHostByName(timeline, clocks.reference))
        return noHost("--reference", clocks.reference, timeline);
    const auto checkName = [&](const std::string& name) {
        if (!reading.isQuiet && !wereChecked
            && !findHostByName(timeline, name)) // Warn only, because a --sync file may name hosts that are not open.
            warn("--sync: no host is named \"" + name + "\", so it is ignored; available: " + namesOfHosts(timeline));
    };
    for (const auto& [name, given] : clocks.hosts)
        checkName(name);
    for (const auto& [name, given] : clocks.guests) {
        checkName(name);
        if (!given.host.empty())
            checkName(given.host);
    }
    if (!selection.host.empty() && std::ranges::find(timeline.hosts, selection.host, &TimelineHost::label) == timeline.hosts.end())
        return noHost("--host", selection.host, timeline);
    return Done{};
}

/// Makes the input of a command from a timeline that is shown.
Result<OpenedExperiment> useTimeline(const std::shared_ptr<const Timeline>& timeline, const ReadingOptions& reading,
                                     const SelectionOptions& selection)
{
    OpenedExperiment result;
    result.timeline = timeline;
    if (const auto done = checkHosts(reading, selection, *result.timeline, true); !done)
        return done.error();
    auto window = windowOf(selection, result.timeline);
    if (!window)
        return window.error();
    result.window = *window;
    return result;
}

/// Opens the traces, without indexing them, and applies the clocks of the options.
Result<std::shared_ptr<Experiment>> openToIndex(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                                const ExperimentOptions& how)
{
    auto opened = Experiment::open(traces, how, commandStop());
    if (!opened)
        return opened.error();
    if (const auto done = checkOffsets(reading, *(*opened)->timeline()); !done)
        return done.error();
    if (const auto done = applyClocksOfOpenHosts(reading, **opened); !done)
        return done.error();
    return std::shared_ptr<Experiment>(std::move(*opened));
}

} // namespace

Result<OpenedExperiment> openExperiment(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                        const SelectionOptions& selection, const OpeningOptions& opening)
{
    KeptExperiments* kept = KeptExperiments::inUse();
    if (kept && kept->timeline()) {
        if (kept->isSynchronized() == reading.experiment.synchronize)
            return useTimeline(kept->timeline(), reading, selection);
        kept = nullptr;
    }
    if (!reading.isQuiet)
        reportRefusedPlugins();
    ExperimentOptions how = reading.experiment;
    how.needsStates = opening.needsStates;
    if (opening.needsStates) {
        if (const auto chosen = chooseAnalyses(traces, reading, opening, how); !chosen)
            return chosen.error();
    }
    OpenedExperiment result;
    if (how.rebuild)
        kept = nullptr;
    result.experiment = kept ? kept->find(traces, how) : nullptr;
    const bool isKept = result.experiment != nullptr;
    if (!isKept) {
        auto opened = openToIndex(traces, reading, how);
        if (!opened)
            return opened.error();
        result.experiment = std::move(*opened);
    }
    if (const auto done = checkHosts(reading, selection, *result.experiment->timeline(), isKept); !done)
        return done.error();
    if (!isKept) {
        result.experiment->start();
        const ProgressLine line([&] { return progressText(*result.experiment); }, reading.isQuiet);
        if (const auto done = result.experiment->wait(commandStop()); !done)
            return done.error();
    }
    if (kept && !isKept)
        kept->keep(traces, how, result.experiment);
    result.timeline = result.experiment->timeline();
    if (!opening.needsStates && needsBegin(selection))
        result.timeline = withFirstEventTime(result.timeline);
    result.hasProblems = hasErrors(*result.timeline) || lacksEvents(*result.timeline);
    if (!isKept)
        reportProblems(*result.timeline, reading.isQuiet, opening.side);
    auto window = windowOf(selection, result.timeline);
    if (!window)
        return window.error();
    result.window = *window;
    return result;
}

Status addCorrelatedRows(OpenedExperiment& opened, const std::string& view)
{
    auto with = withRowsOfStates(opened.timeline, view, commandStop());
    if (!with)
        return with.error();
    opened.timeline = std::move(*with);
    return Done{};
}

int failWith(const Error& error)
{
    if (OutputReceiver* const receiver = outputReceiver())
        receiver->failed(error);
    else
        warn(error.what); // The text may have several lines, one for each path that failed.
    return error.kind == Error::Kind::Usage ? ExitUsage : ExitInput;
}

} // namespace helio
