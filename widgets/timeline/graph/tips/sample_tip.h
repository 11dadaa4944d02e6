#pragma once

#include "widgets/timeline/graph/tips/state_tip.h"

namespace helio {

/// Returns the tooltip of a row that has samples but no states there: of the ticks under the pointer, otherwise of the whole range
/// `unknown`. nullopt if the row has no samples.
std::optional<TipContent> sampleTip(const TipRequest& question, TimeRange unknown);

} // namespace helio
