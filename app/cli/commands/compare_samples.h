#pragma once

#include "app/cli/commands/compare_options.h"
#include "app/cli/commands/compared_sides.h"
#include "app/cli/commands/sample_difference.h"

namespace helio {

/// Prints the comparison in the format that the options select: a table of functions, two-column folded stacks, or a differential flame
/// graph. Returns the exit status.
int printSampleDifference(const CompareOptions& options, const ComparedSides& sides);
/// Prints a comparison that was already computed.
int printSampleDifference(const CompareOptions& options, SampleDifference difference);

} // namespace helio
