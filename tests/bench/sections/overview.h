#pragma once

#include "core/experiment/timeline.h"
#include "tests/bench/suite/measuring.h"

namespace helio::bench {

/// Seconds of this thread that everything the overview strip shows takes to ask for, 1,920 pixels wide, several times.
Samples overviewTimes(const Timeline& timeline, int repeat);

} // namespace helio::bench
