#pragma once

#include "app/cli/commands/compare_options.h"

namespace helio {

/// `compare --calls`: the slow calls of a function with its quick ones, as a ledger, or as functions and call trees of what they called.
/// The exit status.
int compareCalls(const CompareOptions& options);

} // namespace helio
