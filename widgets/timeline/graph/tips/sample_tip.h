#pragma once

#include "widgets/timeline/graph/tips/state_tip.h"

namespace helio {

/// What a tooltip says where no states were recorded but samples were: of the ticks under the pointer, else of the whole stretch that is
/// unknown. Nothing: the row has no samples.
std::optional<TipContent> sampleTip(const TipQuestion& question, TimeRange unknown);

} // namespace helio
