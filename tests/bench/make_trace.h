#pragma once

#include "tests/bench/make_trace_machine.h"

namespace helio::bench {

/// Writes a synthetic kernel trace into `folder`, which is created. Equal options give equal bytes. Returns false if the trace cannot be
/// written.
bool makeTrace(const MadeTrace& made, const std::filesystem::path& folder);

} // namespace helio::bench
