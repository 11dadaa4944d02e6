#include "core/query/rows/recording_kind.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"

#include <algorithm>

namespace helio {

namespace {

bool hasThreadStates(const Timeline& timeline, const TimelineTrace& it)
{
    return it.trace && it.trace->info().hasTimes && std::ranges::none_of(it.missing, [&](const MissingEvents& need) {
               return need.isEssential && viewDescription(timeline, need.view).counted == TrackRole::Thread;
           });
}

/// True if an analysis runs on the trace whose rows are call stacks, e.g. of slices.
bool hasCalls(const Timeline& timeline, const TimelineTrace& it)
{
    return it.trace && it.trace->info().hasTimes && std::ranges::any_of(timeline.analyses->all(), [&](const auto& kind) {
               return std::ranges::any_of(kind->views(), &TrackView::areCalls) && timeline.analyses->doesRun(*kind, *it.trace);
           });
}

Duration unknownTime(const Timeline& timeline, TrackRef track, TimeRange range)
{
    Duration sum{};
    for (const StateTotal& total : totals(timeline, track, range))
        if (meaningOf(timeline, track, total.state) == StateCategory::Unknown)
            sum += total.total;
    return sum;
}

bool mayHaveRunUnseen(const Timeline& timeline, std::uint32_t trace, TimeRange range)
{
    const auto isOfTrace = [&](const LossRange& loss) { return loss.trace == trace; };
    if (isPartialRecording(timeline, trace) || std::ranges::any_of(losses(timeline, range), isOfTrace))
        return true;
    const Duration tolerated = range.duration() / 100;
    bool isUnseen = false;
    forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        forEachTrack(index, store, TrackRole::Cpu,
                     [&](TrackRef cpu, const Track&) { isUnseen = isUnseen || unknownTime(timeline, cpu, range) > tolerated; });
    });
    return isUnseen;
}

} // namespace

RecordingKind recordingKind(const Timeline& timeline)
{
    if (!hasTimes(timeline))
        return RecordingKind::Untimed;
    if (std::ranges::any_of(timeline.traces, [&](const TimelineTrace& it) { return hasThreadStates(timeline, it); }))
        return RecordingKind::States;
    if (std::ranges::any_of(timeline.traces, [&](const TimelineTrace& it) { return hasCalls(timeline, it); }))
        return RecordingKind::Slices;
    return hasSamples(timeline) ? RecordingKind::Samples : RecordingKind::Events;
}

bool promisesRows(const Timeline& timeline, std::uint32_t trace)
{
    const TimelineTrace& it = timeline.traces[trace];
    return hasThreadStates(timeline, it) || hasCalls(timeline, it);
}

bool promisesCalls(const Timeline& timeline, std::uint32_t trace) { return hasCalls(timeline, timeline.traces[trace]); }

bool isPartialRecording(const Timeline& timeline, std::uint32_t trace)
{
    const auto& it = timeline.traces[trace].trace;
    return it && !it->info().part.isAll();
}

bool UnrecordedRuns::mayExistIn(std::uint32_t trace)
{
    const auto known = m_known.find(trace);
    return known != m_known.end()
        ? known->second
        : (m_known[trace] = mayHaveRunUnseen(m_timeline, trace, m_range.clippedTo(coveredRange(m_timeline, trace))));
}

bool hasSelectedThreadsOnly(const Timeline& timeline)
{
    return std::ranges::all_of(timeline.traces, [](const TimelineTrace& it) { return it.trace && !it.trace->info().part.threads.empty(); });
}

} // namespace helio
