#pragma once

#include "tests/bench/sections/sections.h"

namespace helio::bench {

/// Measures a fleet of 1,000 made traces; part of measureFleet().
void measureMadeFleet(Measuring& m);

} // namespace helio::bench
