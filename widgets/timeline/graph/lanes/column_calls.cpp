#include "widgets/timeline/graph/lanes/column_calls.h"

namespace helio {

ColumnCalls findColumnCalls(const Timeline& timeline, TrackRef row, TimeRange column)
{
    ColumnCalls found;
    auto call = intervalAt(timeline, row, column.begin);
    if (call.empty())
        call = nextInterval(timeline, row, column.begin);
    while (!call.empty() && call[0].range.begin < column.end && found.count < MostColumnCalls) {
        ++found.count;
        if (!found.longest || call[0].range.duration() > found.longest->range.duration())
            found.longest = call[0];
        call = nextInterval(timeline, row, call[0].range.begin);
    }
    return found;
}

} // namespace helio
