#pragma once

#include "app/cli/commands/compare_options.h"

namespace helio {

/// Runs `compare --calls`: compares the slow calls of a function with its quick calls, as a breakdown, or as functions and call trees below
/// them. Returns the exit status.
int compareCalls(const CompareOptions& options);

} // namespace helio
