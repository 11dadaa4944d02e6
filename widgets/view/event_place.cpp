#include "widgets/view/event_place.h"

#include "core/query/rows/causes.h"

namespace helio {

void selectRowOf(ViewContext& context, const EventRow& event)
{
    const auto timeline = context.timeline();
    if (!timeline)
        return;
    const TrackRef thread = threadRow(*timeline, event.trace, event.tid, event.time);
    const TrackRef row = thread.isValid() ? thread : cpuRow(*timeline, event.trace, event.cpu);
    if (row.isValid())
        context.time().setRow(row);
}

void goToEvent(ViewContext& context, std::shared_ptr<const EventRow> event)
{
    context.time().setCursor(event->time);
    context.time().showAt(event->time);
    selectRowOf(context, *event);
    context.setEvent(std::move(event));
}

} // namespace helio
