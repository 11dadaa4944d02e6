#include "core/query/rows/queued_times.h"

#include "core/query/rows/timeline_access.h"

namespace helio {

TrackRef queuedTimesOf(const Timeline& timeline, TrackRef row)
{
    if (!trackOf(timeline, row))
        return {};
    const Store& store = *storeOf(timeline, row);
    for (const TrackId child : store.childrenOf(row.track))
        if (const Track& track = store.tracks()[static_cast<std::size_t>(child)]; track.view.empty() && track.kind == QueuedTimes)
            return {row.store, child};
    return {};
}

} // namespace helio
