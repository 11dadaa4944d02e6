#pragma once

#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/graph/lane_fetcher.h"

namespace helio {

/// What the rows of a scene that are in view want to be known, then those next to them. Who asks adds the timeline and the links.
LaneRequest lanesOf(const GraphScene& scene);

} // namespace helio
