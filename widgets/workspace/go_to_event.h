#pragma once

#include "core/query/events/events.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// Goes to an event as a step (see TimeWindow): puts the cursor on it, selects the row of its thread, or of its CPU without a thread, and
/// shows the event in Details. Threads: UI thread. Cost: about 100 µs.
void goToEvent(ViewContext& context, std::shared_ptr<const EventRow> event);

} // namespace helio
