#include "widgets/view/call_place.h"

#include "core/query/segments/call_at.h"

namespace helio {

void goToCall(ViewContext& context, const Segment& call)
{
    const Segment there = call; // A copy: what follows may replace it.
    TimeWindow& time = context.time();
    time.visit();
    time.setRow(there.row());
    time.setCursor(there.range.begin);
    time.setSelection(there.range);
    time.showAt(there.range.begin);
}

TimeRange heldRange(ViewContext& context)
{
    const TimeWindow& time = context.time();
    const auto timeline = context.timeline();
    if (!timeline || time.selection().isEmpty() || !time.row().isValid() || valueKindOf(*timeline, time.row()) != ValueKind::Frame)
        return time.selection();
    const auto call = callAt(*timeline, time.row(), time.selection().begin);
    return call && call->range == time.selection() ? TimeRange{} : time.selection();
}

} // namespace helio
