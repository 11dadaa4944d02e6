#include "widgets/workspace/event_place.h"

#include "core/query/rows/causes.h"

namespace helio {

namespace {

/// The row that an event happened on: its thread's, or its CPU's where there was none. Invalid if neither is known.
TrackRef rowOf(const Timeline* timeline, const EventRow& event)
{
    const TrackRef thread = timeline ? threadRow(*timeline, event.trace, event.tid, event.time) : TrackRef();
    return thread.isValid() || !timeline ? thread : cpuRow(*timeline, event.trace, event.cpu);
}

} // namespace

void goToEvent(ViewContext& context, std::shared_ptr<const EventRow> event)
{
    const TrackRef row = rowOf(context.timeline().get(), *event);
    context.time().step({.row = row.isValid() ? row : context.time().row(), .cursor = event->time});
    context.setEvent(std::move(event));
}

} // namespace helio
