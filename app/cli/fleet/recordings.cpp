#include "app/cli/fleet/recordings.h"

#include "app/cli/output/output.h"
#include "app/cli/output/redirection.h"
#include "core/base/no_room.h"
#include "core/experiment/store_directory.h"
#include "core/experiment/trace_opener.h"
#include "core/findings/finder_views.h"
#include "core/findings/findings.h"
#include "core/fleet/summarize.h"
#include "core/io/archive.h"
#include "core/query/rows/messages.h"

#include <algorithm>
#include <string_view>

namespace helio {
namespace {

namespace fs = std::filesystem;

fs::path absolutePath(const fs::path& path)
{
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error).lexically_normal();
    if (error)
        return path;
    return absolute.has_filename() ? absolute : absolute.parent_path();
}

bool isFileOfOneRecording(const fs::path& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error) && !isArchive(path);
}

/// True if a file that is a recording contains the trace at `path`, e.g. the ftrace text in a trace of Chrome.
bool isInside(const fs::path& path, const std::vector<FoundRecording>& recordings)
{
    return std::ranges::any_of(recordings, [&](const FoundRecording& it) {
        const fs::path below = path.lexically_relative(it.path);
        return !below.empty() && below != "." && *below.begin() != ".." && isFileOfOneRecording(it.path);
    });
}

void addRecordings(const fs::path& path, const ReadingOptions& reading, std::vector<FoundRecording>& recordings)
{
    const auto add = [&](const fs::path& found, const std::string& problem) {
        if (std::ranges::find(recordings, found, &FoundRecording::path) == recordings.end() && !isInside(found, recordings))
            recordings.push_back({found, problem});
    };
    if (isFileOfOneRecording(path))
        return add(path, {});
    const fs::path& stores = reading.experiment.storeDirectory;
    const BegunOpenings begun =
        beginTraces({path}, (stores.empty() ? defaultStoreDirectory() : stores) / "archives", commandStop(), reading.experiment.format);
    for (const auto& trace : begun.traces)
        add(absolutePath(trace->provisionalTrace()->info().path), {});
    for (const Diagnostic& problem : begun.problems)
        if (problem.severity == Diagnostic::Severity::Error)
            add(absolutePath(problem.file), problem.what);
}

/// Returns the text without a leading path, because the path is beside it.
std::string withoutPath(std::string text, const fs::path& path)
{
    if (const std::string prefix = path.string() + ": "; text.starts_with(prefix))
        text.erase(0, prefix.size());
    return text;
}

/// Returns the reasons why a part of an opened recording could not be read; empty if all of it was read.
std::string problemsOf(const OpenedExperiment& opened)
{
    std::string all;
    const auto add = [&](const std::string& text) { all += (all.empty() ? "" : "; ") + text; };
    for (const Diagnostic& it : opened.timeline->diagnostics)
        if (it.severity == Diagnostic::Severity::Error)
            add(it.file.empty() ? it.what : it.file + ": " + it.what);
    for (const Message& it : damages(*opened.timeline))
        if (it.kind == "unreadable-file" || it.kind == NoRoom)
            add(it.text);
    return all.empty() && opened.hasProblems ? "a part of the recording could not be read" : all;
}

} // namespace

std::vector<FoundRecording> findRecordings(const std::vector<fs::path>& paths, const ReadingOptions& reading)
{
    std::vector<FoundRecording> recordings;
    for (const fs::path& path : paths)
        if (!commandStop().stop_requested())
            addRecordings(absolutePath(path), reading, recordings);
    return recordings;
}

Result<SummarizedRecording> summarizeRecording(const FoundRecording& recording, const ReadingOptions& reading)
{
    SummarizedRecording result{fleet::beginSummary(recording.path.string()), {}};
    const auto fail = [&](const std::string& why) {
        result.summary.error = withoutPath(why, recording.path);
        warn(recording.path.string() + ": " + result.summary.error);
        return result;
    };
    if (!recording.problem.empty())
        return fail(recording.problem);
    OpeningOptions opening;
    opening.wanted = viewsOfFinders();
    auto opened = openExperiment({recording.path}, reading, {}, opening);
    if (!opened && (opened.error().kind == Error::Kind::Usage || opened.error().kind == Error::Kind::Cancelled))
        return opened.error();
    if (!opened)
        return fail(opened.error().what);
    // Latencies are those of `heliograph latency`, which reads no rows of correlators.
    fleet::addFacts(result.summary, *opened->timeline);
    fleet::addLatencies(result.summary, opened->timeline, commandStop());
    if (const Status added = addCorrelatedRows(*opened); !added)
        return added.error();
    const FindingRequest request{opened->timeline, opened->window};
    fleet::addFindings(result.summary, collectFindings(request), *opened->timeline, FindingScope(request).window());
    result.summary.error = problemsOf(*opened);
    result.opened = std::move(*opened);
    return result;
}

Result<std::vector<fleet::SummaryTag>> readTags(const std::vector<std::string>& given)
{
    std::vector<fleet::SummaryTag> tags;
    for (const std::string& text : given) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return makeUsageError("--tag", '"' + text + "\" is not NAME=VALUE");
        tags.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return tags;
}

} // namespace helio
