#include "core/query/rows/thread_summary.h"

#include "core/query/rows/event_threads.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <functional>

namespace helio {
namespace {

struct OnCpuInterval {
    Timestamp begin;
    std::int32_t cpu;
};

/// Adds the CPUs on which the thread ran, with its total time on each, from the CPUs' rows of threads.
void addRuns(const Timeline& timeline, TrackRef thread, TimeRange range, ThreadSummary& life, const std::stop_token& stop)
{
    const auto tracks = storeOf(timeline, thread)->tracks();
    std::vector<OnCpuInterval> runs;
    for (std::uint32_t i = 0; i < tracks.size() && !stop.stop_requested(); ++i) {
        const TrackRef cpu{thread.store, TrackId{i}};
        const auto row = tracks[i].role == TrackRole::CpuThread ? rowOf(timeline, cpu) : std::nullopt;
        if (!row)
            continue;
        ThreadSummary::OnCpu ran{tracks[i].cpu, 0, {}};
        const auto take = [&](const Interval& interval) {
            if (interval.value != static_cast<std::uint32_t>(thread.track) || !isOnCpu(meaningOf(timeline, cpu, interval.state)))
                return;
            ++ran.intervals;
            ran.total += interval.range.duration();
            runs.push_back({interval.range.begin, ran.cpu});
        };
        forEachRowInterval(timeline, *row, range, take, stop);
        if (ran.intervals > 0)
            life.cpus.push_back(ran);
    }
    std::ranges::sort(life.cpus, std::greater(), &ThreadSummary::OnCpu::total);
    std::ranges::sort(runs, {}, &OnCpuInterval::begin);
    for (std::size_t i = 1; i < runs.size(); ++i)
        life.migrations += runs[i].cpu != runs[i - 1].cpu;
}

} // namespace

std::optional<ThreadSummary> threadSummary(const Timeline& timeline, TrackRef thread, TimeRange range, std::stop_token stop)
{
    const auto row = rowOf(timeline, thread);
    if (!row || row->role != TrackRole::Thread)
        return {};
    ThreadSummary life;
    life.row = *row;
    const Track& track = *trackOf(timeline, thread);
    if (track.parent != NoTrack)
        life.parent = rowOf(timeline, {thread.store, track.parent});
    bool isKnown = false;
    for (const StateTotal& total : totals(timeline, thread, range)) {
        if (total.count == 0)
            continue;
        const StateKind& kind = stateKind(timeline, thread, total.state);
        isKnown |= kind.meaning != StateCategory::Unknown;
        life.states.push_back({kind, total.count, total.total});
    }
    std::ranges::sort(life.states, std::greater(), &ThreadSummary::State::total);
    if (isKnown)
        addRuns(timeline, thread, range, life, stop);
    else
        life.sampled = EstimatedCpuTimes(timeline, range, stop).of(thread);
    life.events = eventsIn(timeline, thread, range);
    return life;
}

RecordedEnds recordedEnds(const Timeline& timeline, TrackRef thread)
{
    if (!rowOf(timeline, thread))
        return {};
    const TimelineTrace& t = timeline.traces[traceOf(timeline, thread)];
    const Track& track = *trackOf(timeline, thread);
    const HostRange whole = storeOf(timeline, thread)->summary().range;
    RecordedEnds ends{track.life.begin > whole.begin, track.life.end < whole.end};
    for (const ProcessRecord& record :
         t.trace && !(ends.begin && ends.end) ? t.trace->processRecords() : std::span<const ProcessRecord>()) {
        if (record.guest != NoGuest)
            continue;
        // The start of the thread was recorded if it has an Exec record. A record that just names the thread is no proof, because the
        // thread may have existed before the recording.
        ends.begin |= record.tid == track.tid && record.kind == ProcessRecord::Kind::Exec && record.time <= track.life.begin;
        ends.end |= record.tid == track.tid && record.kind == ProcessRecord::Kind::Exit && record.time > track.life.begin;
    }
    return ends;
}

} // namespace helio
