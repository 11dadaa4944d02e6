#include "app/cli/selection/unmatched_options.h"

#include "app/cli/selection/row_selection.h"
#include "core/profiling/samples/amount_text.h"
#include "core/profiling/samples/call_path.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {
namespace {

bool hasThread(const SelectionOptions& only, const Timeline& timeline)
{
    const std::vector<Row> rows = RowSelection(only, timeline).rowsOf(findViewWithRole(timeline, TrackRole::Thread));
    return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.role == TrackRole::Thread; });
}

/// Appends a sentence for --thread and for --process if the option alone matches no thread.
void addThreads(const SelectionOptions& options, const Timeline& timeline, std::vector<std::string>& said)
{
    SelectionOptions only;
    if ((only.thread = options.thread) && !hasThread(only, timeline))
        said.push_back(fmt::format("--thread {}: no such thread", *options.thread));
    only = {};
    only.process = options.process;
    if (!only.process.empty() && !hasThread(only, timeline))
        said.push_back(fmt::format("--process {}: no process had this name", options.process));
}

/// Appends sentences about why there are no samples.
void addSamples(const SelectionOptions& options, const SelectedSamples& samples, std::vector<std::string>& said)
{
    const Timeline& timeline = *samples.opened.timeline;
    const auto collect = [&](const SelectionOptions& only, TimeRange window) {
        SampleFilter filter;
        filter.kinds = samples.kinds;
        if (only.begin || only.end)
            filter.ranges = {window};
        if (only.cpu)
            for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host)
                filter.cpus.push_back({host, static_cast<std::int32_t>(*only.cpu)});
        return collectStacks(timeline, filter).samples;
    };
    const SampleKind& kind = samples.profile.kind;
    const std::string name = areCalls(kind) ? std::string(samplesWord(kind)) : "samples of " + kind.name;
    SelectionOptions only;
    if (collect(only, samples.opened.window) == 0) {
        said.push_back(fmt::format("no {} in this trace", name));
        return;
    }
    if ((only.cpu = options.cpu) && collect(only, samples.opened.window) == 0)
        said.push_back(fmt::format("--cpu {}: no {} on this CPU", *options.cpu, name));
    only = {};
    only.begin = options.begin;
    only.end = options.end;
    if ((only.begin || only.end) && collect(only, samples.opened.window) == 0)
        said.push_back(fmt::format("{}: no {} in this range", !only.end ? "--begin" : !only.begin ? "--end" : "--begin, --end", name));
    if (said.empty())
        said.push_back(fmt::format("no {} matches all options together", areCalls(kind) ? "call" : "sample"));
}

/// Appends a sentence for each name or pattern of the options that matches no sampled function.
void addFunctions(const CallTreeOptions& tree, const StackNames& names, std::vector<std::string>& said)
{
    const auto isThere = [&](const std::string& text, bool ofNames, bool ofModules) {
        return std::any_of(names.functions.begin(), names.functions.end(), [&](const SampledFunction& f) {
            return (ofNames && (matchesPattern(f.label(), text) || matchesPattern(f.name, text)))
                || (ofModules && matchesPattern(f.module, text));
        });
    };
    const auto say = [&](const char* option, const std::string& text, const char* what) {
        said.push_back(fmt::format("{} {}: no samples in such a {}; heliograph flame --table lists them", option, text, what));
    };
    const bool isNamed =
        std::any_of(names.functions.begin(), names.functions.end(), [&](const auto& f) { return f.isCalled(tree.function); });
    if (!tree.function.empty() && !isNamed)
        say(tree.shape == CallTreeOptions::Shape::Callers ? "--callers" : "--callees", tree.function, "function");
    for (const std::string& text : tree.focus)
        if (!isThere(text, true, true))
            say("--focus", text, "function or module");
    for (const std::string& text : tree.hiddenFunctions)
        if (!isThere(text, true, false))
            say("--hide", text, "function");
    for (const std::string& text : tree.hiddenModules)
        if (!isThere(text, false, true))
            say("--hide-module", text, "module");
}

} // namespace

Status checkThreadNames(const SelectionOptions& options, const Timeline& timeline)
{
    std::vector<std::string> said;
    addThreads(options, timeline, said);
    return said.empty() ? Status(Done{}) : Status(Error{Error::Kind::Usage, fmt::format("{}", fmt::join(said, "; "))});
}

std::vector<std::string> describeUnmatchedOptions(const SelectionOptions& options, const CallTreeOptions& tree,
                                                  const SelectedSamples& samples)
{
    std::vector<std::string> said;
    if (samples.profile.samples == 0)
        addSamples(options, samples, said);
    else
        addFunctions(tree, samples.names, said);
    return said;
}

} // namespace helio
