#pragma once

#include "app/cli/sample_selection.h"
#include "app/cli/table_writer.h"

namespace helio {

/// The samples of `flame --table` as a table: a line for each function, module, file, line or thread; with columns of other events and their
/// ratios to this one where those were asked for.
Status writeFunctions(const CommandOptions& options, const SelectedSamples& samples, TimeStyle times, Output& output);

} // namespace helio
