#pragma once

#include "core/analysis/thread_ends.h"
#include "core/experiment/timeline.h"

#include <vector>

namespace helio {

/// Returns the ends of the trace's threads as other traces of the same host show them, on the trace's own clock; sorted. A thread ended at
/// its exit state, or, without one, where its row ends before the store does.
/// Cost: a few µs for each thread of those other traces.
std::vector<ThreadEnd> findThreadEnds(const Timeline& timeline, std::size_t trace);

} // namespace helio
