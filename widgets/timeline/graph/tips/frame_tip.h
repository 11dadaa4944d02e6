#pragma once

#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/tips/state_tip.h"

namespace helio {

/// What a tooltip says of a call: the function, how long it took, and how much of that in itself; of an address why it has no name.
TipContent frameTip(const TipQuestion& question, const Interval& call);

} // namespace helio
