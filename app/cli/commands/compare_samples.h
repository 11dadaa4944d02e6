#pragma once

#include "app/cli/commands/compare_options.h"
#include "app/cli/commands/compared_sides.h"
#include "app/cli/commands/sample_difference.h"

namespace helio {

/// The functions of both sides, or both call trees as two-column folded stacks or a differential flame graph, as the options say.
/// The exit status.
int printSampleDifference(const CompareOptions& options, const ComparedSides& sides);
/// The same of what was compared already.
int printSampleDifference(const CompareOptions& options, SampleDifference difference);

} // namespace helio
