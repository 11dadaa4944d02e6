#pragma once

#include "core/query/segments/segments.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// Goes to a call: its row is selected, the cursor is where it begins, and its range is the selected one.
void goToCall(ViewContext& context, const Segment& call);

/// The same of anything that lasts. On no row: only the cursor goes there.
void goToPlace(ViewContext& context, SearchHits::Place place);

/// The selected range that steps keep to. Empty: there is none, or it is but that of the selected call, or of the hit that was gone to.
/// Cost: as callAt().
TimeRange heldRange(ViewContext& context);

} // namespace helio
