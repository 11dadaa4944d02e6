#include "core/sql/model/flows.h"

#include "core/query/rows/timeline_access.h"

namespace helio::sql {

void Flows::forEach(TimeRange range, const std::function<void(const Arrow&)>& take, const std::stop_token& stop) const
{
    ArrowWalk walk(m_slices->things().timeline(), LinkIds{"flow"}, range, stop);
    while (walk.next())
        take(walk.arrow());
}

bool Flows::isOnThreadOf(TrackRef row, const SliceRow& slice) const
{
    const TrackRef own = m_slices->rowOf(slice);
    const Store* const store = storeOf(m_slices->things().timeline(), row);
    return store && row.store == own.store && threadTrack(*store, row.track) == threadTrack(*store, own.track);
}

std::optional<std::int64_t> Flows::sliceAt(TrackRef row, Timestamp at) const
{
    const auto call = callAt(m_slices->things().timeline(), row, at);
    return call ? m_slices->idOf(*call) : std::nullopt;
}

} // namespace helio::sql
