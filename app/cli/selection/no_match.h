#pragma once

#include "app/cli/selection/sample_selection.h"

namespace helio {

/// An error where an option names a thread, a process or a host that was not recorded.
Status checkThreadNames(const SelectionOptions& options, const Timeline& timeline);

/// Which options of a command match nothing of what was recorded: sentences.
std::vector<std::string> noMatch(const SelectionOptions& options, const CallTreeOptions& tree, const SelectedSamples& samples);

} // namespace helio
