#pragma once

#include "tests/bench/make_trace_machine.h"

namespace helio::bench {

/// Writes a kernel trace into `folder`, which is made. The same wishes give the same bytes. False where it could not be written.
bool makeTrace(const MadeTrace& made, const std::filesystem::path& folder);

} // namespace helio::bench
