#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/query/samples/sample_stacks.h"
#include "core/query/samples/stack_names.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// The kind that is meant: its whole name, or all before the modifiers of an event ("cpu-clock" for "cpu-clock:ppp") or before another
/// colon, where that is one kind's. "off-cpu" means all times off the CPU, and is the name then. Empty: the first.
Result<SampleKind> chosenKind(const std::vector<SampleKindFacts>& kinds, const std::string& event);

/// An error where the filter asks samples for what only intervals have.
Status checkSampleFilter(const CommandOptions& options);

/// The samples of that kind which the command's options select.
SampleFilter sampleFilterOf(const CommandOptions& options, const OpenedExperiment& opened, const SampleKind& kind);

/// The samples that a command is about, with their names.
struct SelectedSamples {
    OpenedExperiment opened;
    StackProfile profile;
    StackNames names;
    std::vector<std::string> kinds; ///< Of the samples, by name.
};
/// Opens the traces and collects the samples of the kind meant that the options select.
Result<SelectedSamples> selectSamples(const CommandOptions& options);

/// The options, with the kind's usual weight unless one was chosen.
CommandOptions weighted(CommandOptions options, const SampleKind& kind);

/// What a person has to know before believing the numbers: sentences, the one about most samples first. `side` stands before each.
std::vector<std::string> limitsOf(const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                  std::string_view side = {});

/// Writes them to standard error, unless options.isQuiet.
void report(const CommandOptions& options, const std::vector<std::string>& limits);

} // namespace helio
