#pragma once

#include "core/query/segments/segments.h"
#include "widgets/view/view_context.h"

namespace helio {

/// Goes to a call: its row is selected, the cursor is where it begins, and its range is the selected one.
void goToCall(ViewContext& context, const Segment& call);

/// The selected range that steps keep to. Empty: there is none, or it is but that of the selected call. Cost: as callAt().
TimeRange heldRange(ViewContext& context);

} // namespace helio
