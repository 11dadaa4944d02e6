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

/// The kind that is meant: its whole name, or all before the modifiers of an event ("cpu-clock" for "cpu-clock:ppp") or before another
/// colon, where that is one kind's. "off-cpu" means all times off the CPU, and is the name then. Empty: the first.
Result<SampleKind> chosenKind(const std::vector<SampleKindFacts>& kinds, const std::string& event);

/// The kind that the options mean: a name of theirs as chosenKind() has it, or calls as --by weighs them.
Result<SampleKind> chosenKind(const Timeline& timeline, const SampleOptions& options);

/// A number of samples, or what they weigh: with decimals where the kind has them.
Cell countCell(std::uint64_t count, const SampleKind& kind);

/// An error where the filter asks samples for what only intervals have.
Status checkSampleFilter(const SelectionOptions& options);

/// The samples of that kind which the options select.
SampleFilter sampleFilterOf(const SelectionOptions& options, const OpenedExperiment& opened, const SampleKind& kind);

/// The samples that a command is about, with their names.
struct SelectedSamples {
    OpenedExperiment opened;
    StackProfile profile;
    StackNames names;
    std::vector<std::string> kinds; ///< Of the samples, by name.
};
/// Opens the traces and collects the samples of the event meant that the selection leaves. Reports which options match nothing, those of
/// the tree that will be made of them among them.
Result<SelectedSamples> selectSamples(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                      const SelectionOptions& selection, const SampleOptions& samples, const CallTreeOptions& tree = {});

/// What a person has to know before believing the numbers: sentences, the one about most samples first. `side` stands before each.
std::vector<std::string> limitsOf(const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                  std::string_view side = {});

/// Writes them to standard error, unless reading.isQuiet.
void report(const ReadingOptions& reading, const std::vector<std::string>& limits);

} // namespace helio
