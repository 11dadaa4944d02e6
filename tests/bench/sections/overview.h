#pragma once

#include "core/experiment/timeline.h"
#include "tests/bench/suite/measuring.h"

namespace helio::bench {

/// CPU time of this thread in seconds for all queries of the overview strip at a width of 1,920 pixels, measured several times.
Samples overviewTimes(const Timeline& timeline, int repeat);

} // namespace helio::bench
