#pragma once

#include "app/cli/selection/sample_selection.h"

namespace helio {

/// A Usage error where --thread or --process names what was not recorded. To be asked where nothing is selected: costs as listing the rows
/// of threads.
Status checkNames(const SelectionOptions& options, const Timeline& timeline);

/// Which options of a command match nothing of what was recorded: sentences.
std::vector<std::string> noMatch(const SelectionOptions& options, const CallTreeOptions& tree, const SelectedSamples& samples);

} // namespace helio
