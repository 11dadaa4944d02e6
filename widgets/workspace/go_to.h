#pragma once

#include "core/query/events/events.h"
#include "core/query/segments/segments.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// Goes to a call: selects its row and its range and puts the cursor at its begin.
void goToCall(ViewContext& context, const Segment& call);

/// Goes to a place: like goToCall(), for anything with a range. Without a row it keeps the selected row.
void goToRange(ViewContext& context, SearchHits::Place place);

/// Returns the selection to which steps are restricted. Empty if nothing is selected, or if the selection is the range of the selected call
/// or of the current hit. Cost: as callAt().
TimeRange stepRange(ViewContext& context);

/// Goes to an event as a step (see TimeWindow): puts the cursor on it, selects the row of its thread, or of its CPU without a thread, and
/// shows the event in Details. Threads: UI thread. Cost: about 100 µs.
void goToEvent(ViewContext& context, std::shared_ptr<const EventRow> event);

} // namespace helio
