#include "tests/bench/sections/rows_shown.h"

#include <algorithm>

namespace helio::bench {

std::uint64_t leastIntervalsOfBusiest(const std::vector<Row>& rows, std::size_t count)
{
    std::vector<std::uint64_t> intervals;
    for (const Row& row : rows)
        if (row.ref.isValid())
            intervals.push_back(row.intervals);
    if (intervals.size() <= count)
        return 0;
    const auto place = intervals.begin() + std::ptrdiff_t(count);
    std::nth_element(intervals.begin(), place, intervals.end(), std::greater());
    return *place;
}

std::vector<TrackRef> busiestTracks(const Timeline& timeline, std::size_t count)
{
    const auto all = rows(timeline, "control-flow");
    const std::uint64_t least = leastIntervalsOfBusiest(all, count);
    std::vector<TrackRef> tracks;
    for (const Row& row : all)
        if (row.ref.isValid() && row.intervals >= least && tracks.size() < count)
            tracks.push_back(row.ref);
    return tracks;
}

void queryRows(const Timeline& timeline, const std::vector<TrackRef>& tracks, TimeRange window, int width, Spans& answer)
{
    const Duration resolution = std::max(Duration(1), window.duration() / width);
    for (const TrackRef track : tracks) {
        answer.clear();
        spans(timeline, track, window, resolution, answer);
    }
}

} // namespace helio::bench
