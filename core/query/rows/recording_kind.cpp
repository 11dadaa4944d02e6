#include "core/query/rows/recording_kind.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/views.h"

#include <algorithm>

namespace helio {

namespace {

bool hasThreadStates(const Timeline& timeline, const TimelineTrace& it)
{
    return it.trace && it.trace->info().hasTimes && std::ranges::none_of(it.missing, [&](const Requirement& need) {
               return need.isEssential && viewNamed(timeline, need.view).counted == TrackRole::Thread;
           });
}

} // namespace

RecordingKind recordingKind(const Timeline& timeline)
{
    if (!hasTimes(timeline))
        return RecordingKind::Untimed;
    if (std::ranges::any_of(timeline.traces, [&](const TimelineTrace& it) { return hasThreadStates(timeline, it); }))
        return RecordingKind::States;
    return hasSamples(timeline) ? RecordingKind::Samples : RecordingKind::Events;
}

bool isOfPart(const Timeline& timeline, std::uint32_t trace)
{
    const auto& it = timeline.traces[trace].trace;
    return it && !it->info().part.isAll();
}

bool isOfSomeThreads(const Timeline& timeline)
{
    return std::ranges::all_of(timeline.traces, [](const TimelineTrace& it) { return it.trace && !it.trace->info().part.threads.empty(); });
}

} // namespace helio
