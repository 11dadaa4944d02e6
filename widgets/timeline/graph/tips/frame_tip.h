#pragma once

#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/tips/state_tip.h"

namespace helio {

/// Returns the tooltip of a call: the function, its duration and its self time; for an address without a name, why it has none.
TipContent frameTip(const TipRequest& question, const Interval& call);

} // namespace helio
