#pragma once

#include "app/cli/commands/flame_options.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/sample_selection.h"

namespace helio {

/// Writes the table of `flame --table`: a line for each function, module, file, line or thread, with columns of other events and their
/// ratios to this event if the options name any.
Status writeFunctions(const FlameOptions& options, const SelectedSamples& samples, TimeStyle times, Output& output);

} // namespace helio
