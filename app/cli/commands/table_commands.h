#pragma once

#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/row_selection.h"

#include <functional>

namespace helio {

/// What the commands that print a table share: opens, checks, prints, says what a view lacks. `fill` gets the views asked for.
int runTable(const CommandOptions& options, std::vector<std::string> columns,
             const std::function<void(const OpenedExperiment&, const std::vector<std::string>& views, TableWriter&)>& fill);

} // namespace helio
