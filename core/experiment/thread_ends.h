#pragma once

#include "core/analysis/thread_ends.h"
#include "core/experiment/timeline.h"

#include <vector>

namespace helio {

/// Which threads ended, as the other traces of a trace's host show it, on that trace's clock; sorted. A thread has ended where its state
/// says that it is on the way out, else where its row ends before its trace does. Cost: some µs a thread of those traces.
std::vector<ThreadEnd> threadEndsFor(const Timeline& timeline, std::size_t trace);

} // namespace helio
