#pragma once

#include "core/query/rows/highlight_mask.h"
#include "core/waits/path/path.h"

namespace helio {

/// Returns the highlight of a path: its segments, the waits that they explain, the CPUs on which its threads ran, and the rows of virtual
/// machines that repeat these rows. Requires: the timeline has the result of the correlator PathRelation, whose arrows are used.
/// Cost: a few µs for each segment, for its text.
HighlightMask highlightPath(const Timeline& timeline, const CriticalPath& path);

/// Computes a critical path and returns its highlight.
/// Threads: to be called from any thread but the UI thread.
/// Cost: one criticalPath().
HighlightMask highlightPath(const Timeline& timeline, const PathRequest& question, std::stop_token stop = {});

} // namespace helio
