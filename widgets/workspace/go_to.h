#pragma once

#include "core/query/events/events.h"
#include "core/query/segments/segments.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// Goes to a call: selects its row and its range, and moves the cursor to its start.
void goToCall(ViewContext& context, const Segment& call);

/// Goes to a range and its row, as goToCall() does. Without a row, the selected row stays selected.
void goToRange(ViewContext& context, SearchHits::HitRange place);

/// Returns the range to which stepping is restricted: the selection. Empty if there is no selection, or if the selection is the range of
/// the selected call or of the current hit.
/// Cost: that of callAt().
TimeRange stepRange(ViewContext& context);

/// Goes to an event, as a step of the history (see TimeWindow): moves the cursor to it, selects the row of its thread, or of its CPU if it
/// has no thread, and shows the event in Details.
/// Threads: UI thread.
/// Cost: about 100 µs.
void goToEvent(ViewContext& context, std::shared_ptr<const EventRow> event);

} // namespace helio
