#pragma once

#include "app/cli/commands/compare_options.h"
#include "app/cli/commands/compared_sides.h"
#include "app/cli/commands/sample_difference.h"

namespace helio {

/// Prints the functions of both sides, or both call trees as two-column folded stacks or a differential flame graph, as the options select.
/// Returns the exit status.
int printSampleDifference(const CompareOptions& options, const ComparedSides& sides);
/// Overload for a comparison that was computed before.
int printSampleDifference(const CompareOptions& options, SampleDifference difference);

} // namespace helio
