#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/sample_options.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Returns the sample kind that `event` names: by its full name, by the name before an event's modifiers ("cpu-clock" for "cpu-clock:ppp"),
/// or by the part before another colon if only one kind has it. "off-cpu" means all times off the CPU and becomes the kind's name. Empty
/// means the first kind.
Result<SampleKind> findSampleKind(const std::vector<SampleKindFacts>& kinds, const std::string& event);

/// Returns the kind that the options select: by event name, or calls with the measure of --by.
Result<SampleKind> findSampleKind(const Timeline& timeline, const SampleOptions& options);

/// Makes a cell for a number of samples or their weight, with decimals if the kind has them.
Cell countCell(std::uint64_t count, const SampleKind& kind);

/// Checks that --filter asks only for facts of samples.
/// Errors: Usage if it asks for a state or a duration, which only intervals have.
Status checkSampleFilter(const SelectionOptions& options);

/// Returns the filter for the samples of `kind` that the options select.
SampleFilter sampleFilterOf(const SelectionOptions& options, const OpenedExperiment& opened, const SampleKind& kind);

/// Samples that a command works on, with the names of their functions.
struct SelectedSamples {
    OpenedExperiment opened;
    StackProfile profile;
    StackNames names;
    std::vector<std::string> kinds; ///< Names of the kinds of the samples.
};
/// Opens the traces and collects the selected samples of the chosen event. Tells the user which options match nothing, including the
/// options of `tree`.
Result<SelectedSamples> selectSamples(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                      const SelectionOptions& selection, const SampleOptions& samples, const CallTreeOptions& tree = {});

/// Returns sentences about the limits of the numbers, the limit that concerns most samples first. `side` is the prefix of each sentence.
std::vector<std::string> describeLimits(const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                        std::string_view side = {});

/// Writes `limits` to standard error, unless reading.isQuiet.
void report(const ReadingOptions& reading, const std::vector<std::string>& limits);

} // namespace helio
