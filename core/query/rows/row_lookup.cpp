#include "core/query/rows/row_lookup.h"

#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <set>
#include <vector>

namespace helio {
namespace {

/// Calls visit(track) for each descendant of `group`, but not for descendants that are groups, until visit() returns false.
template <typename Visit> void eachBelow(const Store& store, TrackId group, const Visit& visit)
{
    std::vector<TrackId> waiting{group};
    std::set<TrackId> met{group}; // Groups visited; prevents an endless loop if the groups of a damaged store form a cycle.
    while (!waiting.empty()) {
        const TrackId from = waiting.back();
        waiting.pop_back();
        for (const TrackId child : store.childrenOf(from)) {
            const Track& track = store.tracks()[static_cast<std::size_t>(child)];
            if (track.role != TrackRole::Group && !visit(track))
                return;
            if (track.role == TrackRole::Group && met.insert(child).second)
                waiting.push_back(child);
        }
    }
}

bool isShownGroup(const Store& store, TrackId group)
{
    bool isShown = false;
    eachBelow(store, group, [&](const Track& track) { return !(isShown = track.intervals > 0); });
    return isShown;
}

HostRange lifeOf(const Store& store, const TrackRef& ref, const Track& track)
{
    if (track.role != TrackRole::Group)
        return track.life;
    HostRange life{HostTimestamp::max(), HostTimestamp::min()};
    eachBelow(store, ref.track, [&](const Track& below) {
        if (below.intervals > 0)
            life = {std::min(life.begin, below.life.begin), std::max(life.end, below.life.end)};
        return true;
    });
    return life;
}

/// Returns the track; nullptr if it does not exist or no view shows it.
const Track* shownTrack(const Timeline& timeline, TrackRef ref)
{
    const Track* track = trackOf(timeline, ref);
    if (!track || track->view.empty())
        return nullptr;
    const bool isGroup = track->role == TrackRole::Group;
    return track->intervals > 0 || (isGroup && isShownGroup(*storeOf(timeline, ref), ref.track)) ? track : nullptr;
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
    row.life = clockOf(timeline, ref.store)(lifeOf(*storeOf(timeline, ref), ref, *track));
    row.intervals = track->intervals;
    row.valueKind = track->valueKind;
    row.band = track->band;
    row.isKernelThread = track->isKernelThread;
    return row;
}

namespace {

/// Returns the thread on a CPU at a time. `cpuThread` is the track with the threads on that CPU.
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
    if (const auto note = noteOf(timeline, ref))
        return eventsOf(timeline, note->source);
    const Track* track = shownTrack(timeline, ref);
    if (!track)
        return {};
    std::string text;
    if (track->tid >= 0 && track->role == TrackRole::Thread)
        text = "tid == " + std::to_string(track->tid);
    else if (track->cpu >= 0)
        text = "cpu == " + std::to_string(track->cpu);
    if (!text.empty() && timeline.hosts.size() > 1)
        text += " && host == " + quotedText(timeline.hosts[timeline.traces[traceOf(timeline, ref)].host].shownName());
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
        forEachTrack(ref.store, *storeOf(timeline, ref), TrackRole::CpuThread, [&](TrackRef cpuThread, const Track& its) {
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

std::string quotedText(std::string_view text)
{
    std::string all = "\"";
    for (const char c : text)
        if (c == '\n' || c == '\t')
            all += c == '\n' ? "\\n" : "\\t";
        else
            all += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    return all + '"';
}

} // namespace helio
