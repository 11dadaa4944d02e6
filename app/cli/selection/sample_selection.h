#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/sample_options.h"
#include "core/profiling/samples/sample_messages.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Returns the sample kind for the argument `event`:
/// - If `event` is the full name of a kind, this kind.
/// - Else, if one kind's name consists of `event`, a colon and perf's modifiers ("cpu-clock" for "cpu-clock:ppp"), this kind.
/// - Else, if one kind's name begins with `event` and a colon (sched for "sched:sched_switch"), this kind.
/// - For "off-cpu", a kind of this name that combines the kinds "off-cpu:blocked", "off-cpu:waiting" and so on, if there are several.
/// - If `event` is empty, the first kind.
/// Errors: Usage if no kind or several kinds match; Unsupported if the trace has no samples.
Result<SampleKind> findSampleKind(const std::vector<SampleKindFacts>& kinds, const std::string& event);

/// Returns the sample kind that the options select: an event, or calls with the measure of --by.
Result<SampleKind> findSampleKind(const Timeline& timeline, const SampleOptions& options);

/// Returns a cell with a number of samples or their weight, with decimals if counts of the kind have decimals.
Cell countCell(std::uint64_t count, const SampleKind& kind);

/// Checks that --filter uses only properties of samples.
/// Errors: Usage if it uses state or duration, which only intervals have.
Status checkSampleFilter(const SelectionOptions& options);

/// Returns the filter for the samples of `kind` that the options select.
SampleFilter sampleFilterOf(const SelectionOptions& options, const OpenedExperiment& opened, const SampleKind& kind);

/// Selected samples of a command, with the names of their functions.
struct SelectedSamples {
    OpenedExperiment opened;
    StackProfile profile;
    StackNames names;
    std::vector<std::string> kinds; ///< Names of the selected sample kinds; several for "off-cpu".
};
/// Opens the traces and collects the selected samples of the chosen event. Prints which options match nothing, including the options of
/// `tree`.
Result<SelectedSamples> selectSamples(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                      const SelectionOptions& selection, const SampleOptions& samples, const CallTreeOptions& tree = {});

/// Writes the sentences from describeLimits() to standard error, unless reading.isQuiet.
void report(const ReadingOptions& reading, const std::vector<std::string>& limits);

} // namespace helio
