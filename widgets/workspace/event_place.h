#pragma once

#include "core/query/events/events.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// Goes to an event: the cursor is on it, its row (its thread's, or its CPU's where there was none) is selected, Details shows it. A step:
/// see TimeWindow. UI thread; some 100 µs.
void goToEvent(ViewContext& context, std::shared_ptr<const EventRow> event);

} // namespace helio
