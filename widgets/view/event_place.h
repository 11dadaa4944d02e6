#pragma once

#include "core/query/events/events.h"
#include "widgets/view/view_context.h"

namespace helio {

/// Selects the row that an event happened on: its thread's, or its CPU's where there was none. UI thread; some 100 µs.
void selectRowOf(ViewContext& context, const EventRow& event);

/// Goes to an event: the cursor is on it, its row is selected, Details shows it.
void goToEvent(ViewContext& context, std::shared_ptr<const EventRow> event);

} // namespace helio
