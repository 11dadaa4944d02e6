#include "tests/bench/sections/rows_shown.h"

#include <algorithm>

namespace helio::bench {

std::vector<TrackRef> controlFlowTracks(const Timeline& timeline)
{
    std::vector<TrackRef> tracks;
    for (const Row& row : rows(timeline, "control-flow"))
        if (row.ref.isValid())
            tracks.push_back(row.ref);
    return tracks;
}

void askRows(const Timeline& timeline, const std::vector<TrackRef>& tracks, std::size_t first, std::size_t count, TimeRange window,
             int width, Spans& answer)
{
    const Duration resolution = std::max(Duration(1), window.duration() / width);
    for (std::size_t i = first; i < std::min(first + count, tracks.size()); ++i) {
        answer.clear();
        spans(timeline, tracks[i], window, resolution, answer);
    }
}

} // namespace helio::bench
