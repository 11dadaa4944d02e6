#pragma once

#include "core/query/rows/row_light.h"
#include "core/waits/path/path.h"

namespace helio {

/// A path among all that went on: its stretches, the waits that they explain, the CPUs that it ran on, and the rows of machines that show
/// those again. Of the timeline that has the path's rows, whose arrows are those of their kind. Cost: some us a
/// stretch: each has its words.
RowLight lightOf(const Timeline& timeline, const CriticalPath& path);

/// Of what is asked. Threads: any but the UI's. Cost: as criticalPath().
RowLight lightOf(const Timeline& timeline, const PathQuestion& question, std::stop_token stop = {});

} // namespace helio
