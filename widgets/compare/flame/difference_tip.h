#pragma once

#include "widgets/compare/difference/difference_style.h"
#include "widgets/flame/view/flame_view.h"
#include "widgets/timeline/graph/tips/state_tip.h"

namespace helio {

/// Tooltip of a frame in the differential flame graph: its amounts in A and in B, the change, and how certain the change is.
TipContent differenceTip(const DifferenceResult& shown, const DifferenceStyle& style, const FlameFrameRef& place);

} // namespace helio
