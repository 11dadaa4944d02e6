#include "widgets/workspace/go_to.h"

#include "core/query/rows/state_causes.h"
#include "core/query/segments/segments.h"

namespace helio {

namespace {

/// Returns the row of the event's thread, or of its CPU if it has no thread; invalid if both are unknown.
TrackRef rowOf(const Timeline* timeline, const EventRow& event)
{
    const TrackRef thread = timeline ? threadRow(*timeline, event.trace, event.tid, event.time) : TrackRef();
    return thread.isValid() || !timeline ? thread : cpuRow(*timeline, event.trace, event.cpu);
}

} // namespace

void goToCall(ViewContext& context, const Segment& call) { goToRange(context, {call.range, call.row()}); }

void goToRange(ViewContext& context, SearchHits::HitRange place)
{
    TimeWindow& time = context.time();
    time.jump({.row = place.row.isValid() ? place.row : time.row(), .cursor = place.range.begin, .selection = place.range});
}

namespace {

bool isOfCurrentHit(ViewContext& context, TimeRange range)
{
    const auto current = context.hits().current();
    const auto place = current ? context.hits().placeOf(*current) : std::nullopt;
    return place && place->range == range;
}

} // namespace

TimeRange stepRange(ViewContext& context)
{
    const TimeWindow& time = context.time();
    const auto timeline = context.timeline();
    if (isOfCurrentHit(context, time.selection()))
        return {};
    if (!timeline || time.selection().isEmpty() || !time.row().isValid() || valueKindOf(*timeline, time.row()) != ValueKind::Frame)
        return time.selection();
    const auto call = callAt(*timeline, time.row(), time.selection().begin);
    return call && call->range == time.selection() ? TimeRange{} : time.selection();
}

void goToEvent(ViewContext& context, std::shared_ptr<const EventRow> event)
{
    const TrackRef row = rowOf(context.timeline().get(), *event);
    context.time().step({.row = row.isValid() ? row : context.time().row(), .cursor = event->time});
    context.setEvent(std::move(event));
}

} // namespace helio
