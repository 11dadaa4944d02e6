#include "widgets/view/call_place.h"

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

} // namespace helio
