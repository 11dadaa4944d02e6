#pragma once

#include "app/cli/selection/sample_selection.h"

namespace helio {

/// Checks that the threads of --thread and --process were recorded. Called only if the options select nothing.
/// Errors: Usage if one of them was not recorded.
/// Cost: lists the rows of all threads.
Status checkThreadNames(const SelectionOptions& options, const Timeline& timeline);

/// Returns a sentence for each option of the command that matches nothing in the recording.
std::vector<std::string> describeUnmatchedOptions(const SelectionOptions& options, const CallTreeOptions& tree,
                                                  const SelectedSamples& samples);

} // namespace helio
