#include "core/query/row_lookup.h"

#include "core/experiment/timeline.h"

namespace helio {
namespace {

/// Null where the track is not there or is not shown.
const Track* shownTrack(const Timeline& timeline, TrackRef ref)
{
    if (ref.trace >= timeline.traces.size() || !timeline.traces[ref.trace].store)
        return nullptr;
    const auto tracks = timeline.traces[ref.trace].store->tracks();
    const auto index = static_cast<std::size_t>(ref.track);
    return index < tracks.size() && !tracks[index].view.empty() && tracks[index].intervals > 0 ? &tracks[index] : nullptr;
}

} // namespace

std::optional<Row> rowOf(const Timeline& timeline, TrackRef ref)
{
    const Track* track = shownTrack(timeline, ref);
    if (!track)
        return {};
    const TimelineTrace& t = timeline.traces[ref.trace];
    return Row{ref,        -1,     track->key,           track->kind,      track->label,     track->pid,           track->tid,
               track->cpu, t.host, t.clock(track->life), track->intervals, track->valueKind, track->isKernelThread};
}

std::string_view viewOf(const Timeline& timeline, TrackRef ref)
{
    const Track* track = shownTrack(timeline, ref);
    return track ? std::string_view(track->view) : std::string_view();
}

} // namespace helio
