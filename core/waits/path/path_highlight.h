#pragma once

#include "core/query/rows/highlight_mask.h"
#include "core/waits/path/path.h"

namespace helio {

/// Returns the highlight of a path: its segments, the waits that they explain, the CPUs that it ran on, and the rows of virtual
/// machines that show these rows again. Arrows belong to the relation with the path's rows, which the timeline must have.
/// Cost: a few us for each segment, for its text.
HighlightMask highlightPath(const Timeline& timeline, const CriticalPath& path);

/// Computes the path and returns its highlight.
/// Threads: to be called from any thread but the UI thread.
/// Cost: one criticalPath().
HighlightMask highlightPath(const Timeline& timeline, const PathRequest& question, std::stop_token stop = {});

} // namespace helio
