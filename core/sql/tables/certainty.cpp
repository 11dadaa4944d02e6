#include "core/sql/tables/certainty.h"

#include "core/query/rows/timeline_access.h"

namespace helio::sql {

void writeCertain(const Recording& recording, HostId host, std::int32_t cpu, Timestamp begin, std::optional<Timestamp> end, ValueSink sink)
{
    const TimeRange range{begin, end.value_or(Timestamp::max())};
    const LostEventTimes& lost = *recording.lost;
    sink.integer((cpu < 0 ? lost.touchOrAdjoin(host, range) : lost.touchOrAdjoin(host, cpu, range)) ? 0 : 1);
}

std::int32_t cpuOfRow(const Timeline& timeline, TrackRef row)
{
    const Track* const track = trackOf(timeline, row);
    return track && track->tid < 0 ? track->cpu : -1;
}

} // namespace helio::sql
