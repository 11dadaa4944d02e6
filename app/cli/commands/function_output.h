#pragma once

#include "app/cli/commands/flame_options.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/sample_selection.h"

namespace helio {

/// The samples of `flame --table` as a table: a line for each function, module, file, line or thread; with columns of other events and
/// their ratios to this one where those were asked for.
Status writeFunctions(const FlameOptions& options, const SelectedSamples& samples, TimeStyle times, Output& output);

} // namespace helio
