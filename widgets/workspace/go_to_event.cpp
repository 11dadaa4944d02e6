#include "widgets/workspace/go_to_event.h"

#include "core/query/rows/state_causes.h"

namespace helio {

namespace {

/// Returns the row of the event's thread, or of its CPU if it has no thread. Invalid if neither is known.
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
