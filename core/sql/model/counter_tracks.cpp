#include "core/sql/model/counter_tracks.h"

#include "core/query/rows/timeline_access.h"

namespace helio::sql {

std::vector<CounterTrack> counterTracks(const RecordedThings& things, std::int64_t firstId)
{
    std::vector<CounterTrack> tracks;
    std::uint64_t points = 0;
    const Timeline& timeline = things.timeline();
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& trace) {
        const auto series = store.counters().series();
        for (std::size_t i = 0; i < series.size(); ++i) {
            const CounterSeries& it = series[i];
            if (it.id.ends_with(GrowthSuffix)) // Derived from another series.
                continue;
            CounterTrack track;
            track.id = firstId + static_cast<std::int64_t>(tracks.size());
            track.series = {index, CounterSeriesId(static_cast<std::uint32_t>(i))};
            track.name = it.title;
            track.unit = it.unit;
            track.type = it.view;
            track.number = it.number;
            track.host = trace.host;
            const TrackRef row{index, it.track};
            if (const Track* const shown = trackOf(timeline, row)) {
                track.thread = things.threadOf(row, clockOf(timeline, index)(shown->life.begin));
                track.cpu = track.thread ? -1 : shown->cpu;
                if (!track.thread && track.cpu < 0)
                    track.process = things.processOf(row, clockOf(timeline, index)(shown->life.begin));
            }
            track.firstPoint = points;
            track.points = store.counters().count(track.series.series);
            points += track.points;
            tracks.push_back(std::move(track));
        }
    });
    return tracks;
}

} // namespace helio::sql
