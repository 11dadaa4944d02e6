#pragma once

#include "app/cli/selection/sample_selection.h"

namespace helio {

/// Which options of a command match nothing of what was recorded: sentences.
std::vector<std::string> noMatch(const CommandOptions& options, const SelectedSamples& samples);

} // namespace helio
