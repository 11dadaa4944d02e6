#pragma once

#include "app/cli/selection/sample_selection.h"

namespace helio {

/// Which options of a command match nothing of what was recorded: sentences.
std::vector<std::string> noMatch(const SelectionOptions& options, const CallTreeOptions& tree, const SelectedSamples& samples);

} // namespace helio
