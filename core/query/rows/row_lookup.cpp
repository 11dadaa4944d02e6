#include "core/query/rows/row_lookup.h"

#include "core/query/rows/composed.h"

namespace helio {
namespace {

/// Null where the track is not there or is not shown.
const Track* shownTrack(const Timeline& timeline, TrackRef ref)
{
    const Track* track = trackOf(timeline, ref);
    return track && !track->view.empty() && track->intervals > 0 ? track : nullptr;
}

} // namespace

std::optional<Row> rowOf(const Timeline& timeline, TrackRef ref)
{
    const Track* track = shownTrack(timeline, ref);
    if (!track)
        return {};
    const std::uint32_t trace = traceOf(timeline, ref);
    Row row;
    row.ref = ref;
    row.id = track->key;
    row.role = track->role;
    row.kind = track->kind;
    row.label = track->label;
    row.pid = track->pid;
    row.tid = track->tid;
    row.cpu = track->cpu;
    row.trace = trace;
    row.host = timeline.traces[trace].host;
    row.life = clockOf(timeline, ref.store)(track->life);
    row.intervals = track->intervals;
    row.valueKind = track->valueKind;
    row.band = track->band;
    row.isKernelThread = track->isKernelThread;
    return row;
}

namespace {

/// The thread that runs on the CPU of a row of threads.
TrackRef threadAt(const Timeline& timeline, TrackRef cpuThread, Timestamp at)
{
    const auto found = intervalAt(timeline, cpuThread, at);
    if (found.empty() || !isOnCpu(meaningOf(timeline, cpuThread, found.front().state)))
        return {};
    return {cpuThread.store, TrackId{found.front().value}};
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
        text += " && host == \"" + timeline.hosts[timeline.traces[traceOf(timeline, ref)].host].label + '"';
    return text;
}

TrackRef counterpartAt(const Timeline& timeline, TrackRef ref, Timestamp at)
{
    const Track* track = shownTrack(timeline, ref);
    if (!track)
        return {};
    if (track->role == TrackRole::Cpu)
        return threadAt(timeline, attributeOf(timeline, ref, TrackRole::CpuThread), at);
    TrackRef cpu;
    if (track->role == TrackRole::Thread)
        eachTrack(ref.store, *storeOf(timeline, ref), TrackRole::CpuThread, [&](TrackRef cpuThread, const Track& its) {
            if (!cpu.isValid() && threadAt(timeline, cpuThread, at) == ref)
                cpu = {ref.store, its.parent};
        });
    return cpu;
}

std::string_view viewOf(const Timeline& timeline, TrackRef ref)
{
    const Track* track = shownTrack(timeline, ref);
    return track ? std::string_view(track->view) : std::string_view();
}

} // namespace helio
