#include "core/query/rows/row_lookup.h"

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
    return Row{ref,        -1,         track->key, track->role,          track->kind,      track->label,     track->pid,
               track->tid, track->cpu, t.host,     t.clock(track->life), track->intervals, track->valueKind, track->isKernelThread};
}

namespace {

/// The thread that runs on the CPU of a row of threads.
TrackRef threadAt(const Timeline& timeline, TrackRef cpuThread, Timestamp at)
{
    const auto found = intervalAt(timeline, cpuThread, at);
    if (found.empty() || !isOnCpu(meaningOf(timeline, cpuThread, found.front().state)))
        return {};
    return {cpuThread.trace, TrackId{found.front().value}};
}

} // namespace

std::string eventsOf(const Timeline& timeline, TrackRef ref)
{
    const Track* track = shownTrack(timeline, ref);
    if (!track)
        return {};
    std::string text;
    if (track->tid >= 0 && track->role == TrackRole::Thread)
        text = "tid == " + std::to_string(track->tid);
    else if (track->cpu >= 0)
        text = "cpu == " + std::to_string(track->cpu);
    if (!text.empty() && timeline.hosts.size() > 1)
        text += " && host == \"" + timeline.hosts[timeline.traces[ref.trace].host].label + '"';
    return text;
}

TrackRef counterpartAt(const Timeline& timeline, TrackRef ref, Timestamp at)
{
    const Track* track = shownTrack(timeline, ref);
    if (!track)
        return {};
    if (track->role == TrackRole::Cpu)
        return threadAt(timeline, attributeOf(timeline, ref, TrackRole::CpuThread), at);
    const auto tracks = timeline.traces[ref.trace].store->tracks();
    for (std::uint32_t i = 0; i < tracks.size() && track->role == TrackRole::Thread; ++i)
        if (tracks[i].role == TrackRole::CpuThread && threadAt(timeline, {ref.trace, TrackId{i}}, at) == ref)
            return {ref.trace, tracks[i].parent};
    return {};
}

std::string_view viewOf(const Timeline& timeline, TrackRef ref)
{
    const Track* track = shownTrack(timeline, ref);
    return track ? std::string_view(track->view) : std::string_view();
}

} // namespace helio
