#pragma once

#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/graph/lane_fetcher.h"

namespace helio {

/// Returns the request for the rows of a scene that are in view, followed by the rows near them. The caller adds timeline and links.
LaneRequest lanesOf(const GraphScene& scene);

} // namespace helio
