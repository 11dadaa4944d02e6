#pragma once

#include "app/cli/selection/sample_selection.h"

namespace helio {

/// Errors: Usage if --thread or --process names something that was not recorded. Call it only if nothing was selected.
/// Cost: that of listing the rows of threads.
Status checkThreadNames(const SelectionOptions& options, const Timeline& timeline);

/// Returns a sentence for each option of the command that matches nothing of what was recorded.
std::vector<std::string> describeUnmatchedOptions(const SelectionOptions& options, const CallTreeOptions& tree, const SelectedSamples& samples);

} // namespace helio
