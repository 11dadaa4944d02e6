#pragma once

#include "app/cli/commands/compare_options.h"

namespace helio {

/// Runs `compare --calls`: compares the slow calls of a function with its quick calls and prints a breakdown, a table of functions, or call
/// trees. Returns the exit status.
int compareCalls(const CompareOptions& options);

} // namespace helio
