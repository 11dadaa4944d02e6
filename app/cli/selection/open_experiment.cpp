#include "app/cli/selection/open_experiment.h"

#include "core/query/events/events.h"
#include "core/query/rows/messages.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace helio {
namespace {

using namespace std::chrono_literals;

/// Shows how far indexing is, five times a second, on a terminal only; the line is gone when it goes.
class ProgressLine {
public:
    ProgressLine(const Experiment& experiment, bool isQuiet)
    {
        if (!isQuiet && isatty(STDERR_FILENO))
            m_thread = std::jthread([&experiment](std::stop_token stop) { run(experiment, stop); });
    }

private:
    static void run(const Experiment& experiment, const std::stop_token& stop)
    {
        std::mutex mutex;
        std::condition_variable_any tick;
        std::unique_lock lock(mutex);
        bool isShown = false;
        while (!tick.wait_for(lock, stop, 200ms, [] { return false; }) && !stop.stop_requested()) {
            const Progress now = experiment.progress();
            const double share = now.bytesTotal ? std::min(1.0, double(now.bytesDone) / double(now.bytesTotal)) : 0;
            fmt::print(stderr, "\r\033[Kindexing {:3.0f} %  {:.1f} M events", share * 100, double(now.events) / 1e6);
            std::fflush(stderr);
            isShown = true;
        }
        if (isShown)
            fmt::print(stderr, "\r\033[K");
    }

    std::jthread m_thread;
};

/// Says what could not be read. True where something was an error.
bool reportProblems(const Timeline& timeline, bool isQuiet, const std::string& side)
{
    bool hasErrors = false;
    for (const Diagnostic& problem : timeline.diagnostics) {
        const bool isError = problem.severity == Diagnostic::Severity::Error;
        hasErrors = hasErrors || isError;
        if (isError || (problem.severity == Diagnostic::Severity::Warning && !isQuiet))
            complain(side + (problem.file.empty() ? problem.what : problem.file + ": " + problem.what));
    }
    if (!isQuiet)
        for (const Message& damage : damages(timeline))
            if (damage.severity != Diagnostic::Severity::Info)
                complain(side + damage.text);
    return hasErrors;
}

bool needsBegin(const CommandOptions& options) { return options.begin || options.end || (options.filter && options.filter->needsBegin()); }

/// Times are counted from the first event: where nothing is indexed only the events themselves know when that is.
std::shared_ptr<const Timeline> withBegin(const std::shared_ptr<const Timeline>& timeline)
{
    EventCursor cursor(timeline, Timestamp::min());
    auto result = std::make_shared<Timeline>(*timeline);
    if (cursor.next())
        result->range.begin = cursor.time();
    return result;
}

Result<TimeRange> windowOf(const CommandOptions& options, const std::shared_ptr<const Timeline>& timeline)
{
    TimeRange window{Timestamp::min(), Timestamp::max()};
    if (!options.begin && !options.end)
        return window;
    const Timestamp first = timeline->range.begin;
    if (options.begin)
        window.begin = resolve(*options.begin, first);
    if (options.end)
        window.end = resolve(*options.end, first);
    if (window.end < window.begin)
        return Error{Error::Kind::Usage, "--end lies before --begin"};
    return window;
}

Status checkOffsets(const CommandOptions& options, const Timeline& timeline)
{
    for (const auto& [name, offset] : options.experiment.offsets) {
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

} // namespace

Result<OpenedExperiment> openExperiment(const CommandOptions& options, bool needsStates, const std::string& side)
{
    ExperimentOptions how = options.experiment;
    how.needsStates = needsStates;
    auto opened = Experiment::open(options.traces, how);
    if (!opened)
        return opened.error();
    OpenedExperiment result;
    result.experiment = std::move(*opened);
    if (const auto done = checkOffsets(options, *result.experiment->timeline()); !done)
        return done.error();
    result.experiment->start();
    {
        const ProgressLine line(*result.experiment, options.isQuiet);
        if (const auto done = result.experiment->wait(); !done)
            return done.error();
    }
    result.timeline = result.experiment->timeline();
    if (!needsStates && needsBegin(options))
        result.timeline = withBegin(result.timeline);
    result.hasProblems = reportProblems(*result.timeline, options.isQuiet, side);
    auto window = windowOf(options, result.timeline);
    if (!window)
        return window.error();
    result.window = *window;
    return result;
}

int failWith(const Error& error)
{
    // One line a path: several may have failed.
    for (std::size_t begin = 0; begin <= error.what.size();) {
        const std::size_t end = std::min(error.what.find('\n', begin), error.what.size());
        complain(error.what.substr(begin, end - begin));
        begin = end + 1;
    }
    return error.kind == Error::Kind::Usage ? ExitUsage : ExitInput;
}

} // namespace helio
