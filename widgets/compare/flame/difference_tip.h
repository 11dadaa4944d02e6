#pragma once

#include "widgets/compare/difference/difference_style.h"
#include "widgets/flame/view/flame_view.h"
#include "widgets/timeline/graph/tips/state_tip.h"

namespace helio {

/// What a tooltip says of one frame of the difference's graph: A, B, what changed, and how sure that is.
TipContent differenceTip(const ShownDifference& shown, const DifferenceStyle& style, const FlamePlace& place);

} // namespace helio
